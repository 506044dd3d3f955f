import { setTimeout as delay } from "node:timers/promises";
import { median } from "./cost.ts";
import { storefrontIdOf } from "./scenarios.ts";

/** A read that is repeated, for another customer each time if it is about one. */
interface Read {
  readonly name: string;
  readonly path: (n: number) => string;
}

export interface ReadTime {
  readonly name: string;
  readonly p50Ms: number;
  /** The minimum, which other load on the machine disturbs little. */
  readonly leastMs: number;
  /** Processor time of service and database per read, including their other work: the least disturbed value. 0 if there is no `/proc`. */
  readonly cpuMs: number;
}

export interface ReadTarget {
  readonly url: string;
  readonly authorization: string;
  /** The session cookie of a signed-in person. */
  readonly cookie: string;
}

const REST = "/api/storefront";
const ADMIN = "/admin/api";
const LIST = `${REST}/point_allotments`;
const READS = 21;
const WARM_READS = 3;
/** The distance between customers that are read. */
const STRIDE = 7_919;
const PAGE_ROWS = 250;
const POLL_MS = 50;

/** The reads of a store of this size: the lists by each filter, a customer, and the dashboard's pages. */
function readsOf(
  target: { readonly customers: number; readonly allotments: number },
  found: { readonly cursor: string; readonly allotmentUid: string; readonly tier: string },
): Read[] {
  const pages = Math.ceil(target.allotments / PAGE_ROWS);
  const middle = Math.max(2, Math.floor(pages / 2));
  const id = (n: number) => storefrontIdOf((n * STRIDE + 17) % target.customers);
  const at = Temporal.Now.instant()
    .subtract({ hours: 24 * 350 })
    .toString({ smallestUnit: "second" });
  const fixed = (name: string, path: string): Read => ({ name, path: () => path });
  const list = (name: string, query: string) => fixed(name, `${LIST}?${query}`);
  const admin = (name: string, path: string) => fixed(`dashboard: ${name}`, `${ADMIN}${path}`);
  return [
    list("page 1", "page=1"),
    list(`page in the middle, by number (${middle.toLocaleString("en")} here)`, `page=${middle}`),
    list("last page, by number", `page=${pages}`),
    list("page in the middle, by cursor", `cursor=${found.cursor}`),
    list("newest first", "direction=desc"),
    list("of a frequent type", "type=api"),
    list("of a type, in the middle", `type=reward&page=${Math.max(1, Math.floor(middle / 10))}`),
    list("of a type that no allotment has", "type=tax"),
    list("after a time", `after=${at}`),
    list("before a time, newest first", `before=${at}&direction=desc`),
    list("after a time, of a type", `after=${at}&type=csv`),
    { name: "a customer's list", path: (n) => `${LIST}/${id(n)}` },
    { name: "a customer's list of a type", path: (n) => `${LIST}/${id(n)}?type=api` },
    { name: "a balance", path: (n) => `${REST}/point_balances/${id(n)}` },
    { name: "a balance explained", path: (n) => `${REST}/point_balances/${id(n)}/explanation` },
    fixed("an allotment explained", `${LIST}/uid/${found.allotmentUid}/explanation`),
    admin("home of 30 days", "/home?days=30"),
    admin("home of a year", "/home?days=365"),
    admin("customers, newest", "/customers"),
    admin("customers of the default tier", `/customers?tier=${found.tier}`),
    admin("customers with most points", "/customers?sort=points"),
    { name: "dashboard: search by id", path: (n) => `${ADMIN}/customers?q=${id(n)}` },
    {
      name: "dashboard: search by e-mail",
      path: (n) => `${ADMIN}/customers?q=customer-${(n * STRIDE) % target.customers}@`,
    },
    admin("search by a frequent name", `/customers?q=${encodeURIComponent("佐藤")}`),
    admin("search by a rarer name", `/customers?q=${encodeURIComponent("木村太郎")}`),
    admin("search by one letter", "/customers?q=c"),
    { name: "dashboard: a customer", path: (n) => `${ADMIN}/customers/${id(n)}` },
    { name: "dashboard: a customer's timeline", path: (n) => `${ADMIN}/customers/${id(n)}/ledger` },
    admin("ledger, newest", "/ledger"),
    admin("ledger of two types", "/ledger?type=reward,csv"),
    admin("ledger from a time back", `/ledger?to=${at}`),
    admin("ledger by a source that nothing has", "/ledger?source=nobody"),
    admin("ledger of large deductions", "/ledger?direction=spent&at_least=1000"),
    { name: "dashboard: ledger of a customer", path: (n) => `${ADMIN}/ledger?customer=${id(n)}` },
    admin("sums of the ledger", "/ledger/totals?type=csv"),
    admin("orders", "/orders"),
  ];
}

/** Measures each read several times, one after the other. `cpuUs` returns the processor time of service and database so far. */
export async function measureReads(
  target: ReadTarget,
  size: { readonly customers: number; readonly allotments: number },
  cpuUs: () => Promise<number>,
): Promise<ReadTime[]> {
  const middle = Math.max(2, Math.floor(size.allotments / PAGE_ROWS / 2));
  const { meta, data } = await readJson<{ meta: { next_cursor: string }; data: { uid: string }[] }>(
    target,
    `${LIST}?page=${middle}`,
  );
  const { tiers } = await readJson<{ tiers: { uid: string }[] }>(target, `${ADMIN}/customers`);
  const found = { cursor: meta.next_cursor, allotmentUid: data[0]?.uid ?? "", tier: tiers[0]?.uid ?? "" };
  const times: ReadTime[] = [];
  for (const { name, path } of readsOf(size, found)) {
    const tookMs: number[] = [];
    let cpuBeforeUs = 0;
    for (let n = -WARM_READS; n < READS; n++) {
      if (n === 0) cpuBeforeUs = await cpuUs();
      const startedMs = performance.now();
      const text = await readText(target, path(n + WARM_READS)).catch((error: Error) => error);
      if (text instanceof Error && n === 0) process.stderr.write(`${name}: ${text.message}\n`);
      if (n >= 0) tookMs.push(performance.now() - startedMs);
    }
    const cpuMs = ((await cpuUs()) - cpuBeforeUs) / READS / 1_000;
    times.push({ name, p50Ms: median(tookMs), leastMs: Math.min(...tookMs), cpuMs });
  }
  return times;
}

export interface ExportTime {
  readonly seconds: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Requests the export of all time, like a store. */
export async function measureExport(target: ReadTarget): Promise<ExportTime> {
  const startedMs = performance.now();
  const asked = await fetch(`${target.url}${REST}/point_balances/export`, {
    method: "POST",
    headers: { authorization: target.authorization, "content-type": "application/json" },
    body: JSON.stringify({ start_datetime: "2000-01-01", end_datetime: "2100-01-01" }),
  });
  const answer = await asked.text();
  if (asked.status !== 202) throw new Error(`the export was not accepted: ${answer}`);
  const uid = /"uid":"([^"]+)"/.exec(answer)?.[1] ?? /"id":"([^"]+)"/.exec(answer)?.[1] ?? "";
  for (;;) {
    const text = await readText(target, `${REST}/point_balances/export/${uid}`);
    const number = (name: string) => Number(new RegExp(`"${name}":(\\d+)`).exec(text)?.[1] ?? 0);
    if (text.includes('"failed"')) throw new Error(`the export failed: ${text}`);
    if (text.includes('"ready"')) {
      const seconds = (performance.now() - startedMs) / 1_000;
      return { seconds, rows: number("row_count"), bytes: number("byte_count") };
    }
    await delay(POLL_MS);
  }
}

async function readJson<Answer>(target: ReadTarget, path: string): Promise<Answer> {
  return JSON.parse(await readText(target, path)) as Answer; // cast: shapes that the tests of the routes check
}

async function readText({ url, authorization, cookie }: ReadTarget, path: string): Promise<string> {
  const headers = path.startsWith(ADMIN) ? { cookie } : { authorization };
  const response = await fetch(url + path, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

/** Signs a person in and returns the session's cookie. */
export async function signIn(url: string, person: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${url}${ADMIN}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-pointkeeper-request": "dashboard" },
    body: JSON.stringify(person),
  });
  const cookie = response.headers.get("set-cookie")?.split(";", 1)[0];
  if (response.status !== 200 || cookie === undefined) throw new Error(`sign-in was refused: ${await response.text()}`);
  return cookie;
}
