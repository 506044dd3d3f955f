import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeStoreLines } from "../../../src/backup/write-store-lines.ts";
import { selectByStorefrontId } from "../../../src/customers/customer-queries.ts";
import type { Deps } from "../../../src/deps.ts";
import { erasePerson } from "../../../src/privacy/erase-person.ts";
import { ADDING_KINDS, MOVEMENT_KINDS } from "../../../src/wire/liability.ts";
import { aggregateLiabilityAll } from "../../support/aggregate-liability-all.ts";
import { countLiability, type LiabilityCount } from "../../support/count-liability.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { type OrderFlow, startOrderFlow } from "../../support/order-flow.ts";
import { RandomStore } from "../../support/random-store.ts";
import { makeFolder } from "../../support/service-process.ts";
import { signIn } from "../../support/staff.ts";
import { startNewStore } from "../../support/store-file.ts";

// Fourteen months of a store to which everything happens that moves points. Another story: FC_SEED=7 npx vitest run test/flows/figures/liability-year

const ZONE = "America/New_York";
const MONTHS = 14;
const ACTS = exampleRuns(24);
/** Each month's report is read again, beside all before it, every few months. */
const EVERY = 5;
const SEED = Number(process.env["FC_SEED"] ?? 20_261_129);

const TIERS = ["Seed", "Sprout", "Tree"].map((name, n) => ({
  ...{ name, default: n === 0, currency_spent_requirement: n * 40_000, currency_value: 100, point_value: n + 1 },
}));

let flow: OrderFlow;
let store: RandomStore;
beforeAll(async () => {
  flow = await startOrderFlow({
    now: "2026-01-20T12:00:00Z",
    program: {
      store: { name: "Tea", currency: "JPY", time_zone: ZONE },
      expiration: { delay_months: 3, mode: "per_allotment" },
      coupons: { lifetime_hours: 24 * 40 },
      tiers: { rules: TIERS },
    },
  });
  store = new RandomStore(flow, SEED);
  await store.open(12);
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

type Line = Readonly<Record<(typeof MOVEMENT_KINDS)[number] | "opening" | "closing", number>>;
type Report = Awaited<ReturnType<typeof report>>;

async function report(month: string) {
  const { status, body } = await flow.client.get(`/api/storefront/reports/liability?month=${month}`);
  expect({ month, status }).toEqual({ month, status: 200 });
  const { total, origins, cohorts, late, revenue, closed_month } = body.data;
  return { total, origins, cohorts, late, revenue, closed_month };
}

const monthOf = (index: number) => `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
const FIRST = 2026 * 12;
const startOf = (index: number) =>
  Temporal.PlainDateTime.from(`${monthOf(index)}-01T00:00`)
    .toZonedDateTime(ZONE)
    .toInstant();

/** The points owed at the end of a month by a key of their sums, by the ledger itself. */
function owed(counts: readonly LiabilityCount[], month: number, keyOf: (count: LiabilityCount) => string) {
  const sums = new Map<string, bigint>();
  for (const count of counts) {
    if (count.month > month) continue;
    const sign = ADDING_KINDS.some((kind) => kind === count.kind) ? 1n : -1n;
    sums.set(keyOf(count), (sums.get(keyOf(count)) ?? 0n) + sign * count.points);
  }
  return sorted([...sums].filter(([, points]) => points !== 0n));
}

const sorted = (pairs: readonly (readonly [string, bigint])[]) => pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
const closings = (lines: readonly (Line & { readonly month?: string; readonly origin?: string })[]) =>
  sorted(
    lines.flatMap((line) =>
      line.closing === 0 ? [] : [[line.month ?? line.origin ?? "", BigInt(line.closing)] as const],
    ),
  );

/** What holds of each report alone, and beside that of the month before. */
function expectWhole(month: string, { total, origins, cohorts, revenue }: Report, before: Report | undefined): void {
  for (const line of [total, ...origins, ...cohorts])
    expect({ month, closing: closingOf(line) }).toEqual({ month, closing: line.closing });
  for (const field of ["opening", "closing", ...MOVEMENT_KINDS] as const)
    for (const parts of [origins, cohorts])
      expect({ month, field, sum: parts.reduce((sum: number, part: Line) => sum + part[field], 0) }).toEqual({
        ...{ month, field },
        sum: total[field],
      });
  expect([month, total.opening]).toEqual([month, before?.total.closing ?? 0]);
  expect([month, total.moved_in]).toEqual([month, total.moved_out]);
  const lines = [revenue.total, ...revenue.cohorts].map((line) => ({ month: line.month ?? "", ...amountsOf(line) }));
  for (const { additions, opening, taken_back, redemption, breakage, reestimate, closing } of lines) {
    const end = opening + additions - taken_back - redemption - breakage - reestimate;
    expect([month, end]).toEqual([month, closing]);
    expect(closing).toBeGreaterThanOrEqual(0n);
  }
  const [whole, ...parts] = lines;
  expect([month, parts.reduce((sum, { closing }) => sum + closing, 0n)]).toEqual([month, whole?.closing]);
  for (const part of parts) {
    const earlier = before?.revenue?.cohorts.find((one: { month: string }) => one.month === part.month);
    if (earlier !== undefined) expect([month, part.opening]).toEqual([month, BigInt(earlier.closing)]);
  }
  expect([month, whole?.opening]).toEqual([month, BigInt(before?.revenue?.total.closing ?? 0)]);
}

const DEFERRAL = ["opening", "additions", "taken_back", "redemption", "breakage", "reestimate", "closing"] as const;
function amountsOf(line: Readonly<Record<string, string>>): Record<(typeof DEFERRAL)[number], bigint> {
  const [opening = 0n, additions = 0n, taken_back = 0n, redemption = 0n, breakage = 0n, reestimate = 0n, closing = 0n] =
    DEFERRAL.map((name) => BigInt(line[name] ?? ""));
  return { opening, additions, taken_back, redemption, breakage, reestimate, closing };
}

function closingOf(line: Line): number {
  return MOVEMENT_KINDS.reduce((sum, kind) => sum + (ADDING_KINDS.includes(kind) ? 1 : -1) * line[kind], line.opening);
}

async function expectLots(): Promise<void> {
  const { counted, expected, owed: bySums, lots } = await countLiability(flow.deps.db, ZONE);
  expect(counted).toEqual(expected);
  expect(bySums).toEqual(lots);
}

test("the report of each month agrees with the ledger and with its neighbours, and no month changes once it is over", async () => {
  const over: Report[] = [];
  const closed = new Map<string, Report>();
  for (let index = FIRST; index < FIRST + MONTHS; index++) {
    const [month, end] = [monthOf(index), startOf(index + 1)];
    for (let act = 0; act < ACTS; act++) {
      await store.act();
      const left = flow.deps.clock.now().until(end).total("hours");
      flow.clock.advance({
        minutes: 1 + store.dice.below(Math.max(1, Math.floor((left * 60 * 2) / (ACTS - act + 1)))),
      });
      if (Temporal.Instant.compare(flow.deps.clock.now(), end) >= 0) break;
    }
    if (Temporal.Instant.compare(flow.deps.clock.now(), end) < 0) {
      flow.clock.set(end.subtract({ milliseconds: 1 })); // the allotments of a merge are microseconds apart
      await store.act();
      flow.clock.set(end);
      await store.act();
    }
    await aggregateLiabilityAll(flow);
    await expectLots();
    const manager = await signIn(flow, "manager");
    const estimate = { month, redemption: String(50 + store.dice.below(50)), point_price: "0.9" };
    if (index === FIRST || store.dice.chance(0.3))
      expect((await manager.put("/liability/estimate", estimate)).status).toBe(200);
    const latest = await report(month);
    if (store.dice.chance(0.25)) {
      const until = monthOf(index - store.dice.below(2));
      const answer = await manager.post("/liability/close", { month: until });
      if (answer.status === 200) {
        for (const each of answer.body.data.months) closed.set(each, await report(each));
        expect(closed.has(until)).toBe(true);
      }
    }
    over.push(latest);
    if (over.length % EVERY === 0 || over.length === MONTHS) await expectPast(over, closed);
  }
  const kinds = new Set(over.flatMap(({ total }) => MOVEMENT_KINDS.filter((kind) => total[kind] > 0)));
  expect([...kinds].sort()).toEqual([...MOVEMENT_KINDS].sort());
  expect(closed.size).toBeGreaterThan(2);
});

/** Points of months that are over are as they were at their end, and as the ledger has them; closed months are as they were at the close. */
async function expectPast(over: readonly Report[], closed: ReadonlyMap<string, Report>): Promise<void> {
  const { expected } = await countLiability(flow.deps.db, ZONE);
  let before: Report | undefined;
  for (const [n, first] of over.entries()) {
    const month = monthOf(FIRST + n);
    const now = await report(month);
    expectWhole(month, now, before);
    const pointsOf = ({ total, origins, cohorts, late }: Report) => ({ month, total, origins, cohorts, late });
    expect(pointsOf(now)).toEqual(pointsOf(first));
    const known = closed.get(month);
    if (known !== undefined) expect({ month, revenue: now.revenue }).toEqual({ month, revenue: known.revenue });
    expect([month, closings(now.cohorts)]).toEqual([month, owed(expected, FIRST + n, ({ cohort }) => monthOf(cohort))]);
    expect([month, closings(now.origins)]).toEqual([month, owed(expected, FIRST + n, ({ origin }) => origin)]);
    before = now;
  }
}

/** A store's lines without those that differ because they are written at another time, or after the import. */
async function linesOf(deps: Deps, path: string): Promise<string[]> {
  await writeFile(path, writeStoreLines(deps, { withSecrets: true }).pieces);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines
    .slice(1, -1)
    .filter((line) => !line.includes('"action":"store.imported"'))
    .sort();
}

test("all of this arrives in another store by a file: merged, erased, moved in and undone, closed months, tiers", async () => {
  const { deps } = flow;
  await flow.customer("erased", { email: "erased@random.example" });
  await flow.give("erased", 70);
  await flow.remove("erased");
  await deps.db.tx(async (tx) => {
    const row = await selectByStorefrontId(tx, "erased");
    if (row === undefined) throw new Error("it was made");
    await erasePerson(tx, deps, { rows: [row], orderIds: [], emails: ["erased@random.example"] });
  });
  const [folder, target] = [await makeFolder(), await startNewStore()];
  try {
    const path = join(folder.path, "store.jsonl");
    const before = await linesOf(deps, path);
    await target.load(path);
    expect(await linesOf(target.service.deps, join(folder.path, "again.jsonl"))).toEqual(before);
    const months = Array.from({ length: MONTHS }, (_, n) => monthOf(FIRST + n));
    for (const month of months) {
      const query = `/api/storefront/reports/liability?month=${month}`;
      target.service.clock.set(flow.deps.clock.now());
      expect((await target.service.client.get(query)).body.data).toEqual((await flow.client.get(query)).body.data);
    }
  } finally {
    await target.stop();
    await folder.remove();
  }
});
