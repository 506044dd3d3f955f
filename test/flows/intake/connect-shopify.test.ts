import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildCustomer } from "../../../demo/payloads/customer-payload.ts";
import { buildOrder } from "../../../demo/payloads/order-payload.ts";
import type { OrderSpec } from "../../../demo/payloads/order-spec.ts";
import { writeJson } from "../../../demo/payloads/platform-json.ts";
import { backFill } from "../../../src/platform-sync/back-fill.ts";
import { connectPlatform } from "../../../src/platform-sync/connect-platform.ts";
import { openPort } from "../../../src/platform-sync/index.ts";
import { NEEDED_TOPICS } from "../../../src/platforms/shopify/admin/connection.ts";
import { SHOPIFY_TOPICS } from "../../../src/platforms/shopify/translate.ts";
import { readProgram } from "../../../src/program/read-program.ts";
import { pendingOrder, product, shipment } from "../../fixtures/stories/story.ts";
import { NO_PLATFORM, type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { runCli } from "../../support/service-process.ts";

const BEGINNING = Temporal.Instant.from("2000-01-01T00:00:00Z");
const URL = "https://points.example/intake/shopify/webhooks";

let flow: PlatformFlow;
beforeEach(async () => {
  flow = await startPlatformFlow({
    now: "2026-03-02T12:00:00Z",
    config: { platform: "shopify", publicUrl: "https://points.example" },
  });
});
afterEach(async () => {
  expect(flow.platform.faults).toEqual([]);
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const connect = (order: { isDryRun?: boolean; setsStore?: boolean } = {}) =>
  connectPlatform(flow.deps, flow.port.connection, { isDryRun: false, setsStore: false, ...order });

describe("connecting", () => {
  test("adds every webhook once, with birthdays, and changes nothing the second time", async () => {
    const made = await connect();
    expect(made).toMatchObject({ missingAccess: [], differences: [], url: URL, wrong: [] });
    expect(made.added).toEqual(NEEDED_TOPICS);
    expect(flow.platform.webhooks.map(({ topic }) => topic)).toEqual(NEEDED_TOPICS);
    const withBirthdays = flow.platform.webhooks.filter(({ metafieldNamespaces }) =>
      metafieldNamespaces.includes("facts"),
    );
    expect(withBirthdays.map(({ topic }) => topic)).toEqual(["CUSTOMERS_CREATE", "CUSTOMERS_UPDATE"]);
    expect(await connect()).toMatchObject({ added: [], wrong: [] });
    expect(flow.platform.webhooks).toHaveLength(NEEDED_TOPICS.length);
  });

  test("needs the topics that are understood, but those about privacy, which no API subscribes to", () => {
    const known = [...SHOPIFY_TOPICS.keys()].map((topic) => topic.replaceAll(/[/.]/g, "_").toUpperCase());
    const privacy = ["CUSTOMERS_DATA_REQUEST", "CUSTOMERS_REDACT", "SHOP_REDACT"];
    expect([...NEEDED_TOPICS, ...privacy].toSorted()).toEqual(known.toSorted());
  });

  test("a dry run says what it would do, and does nothing", async () => {
    flow.platform.settings = { currencyCode: "USD", ianaTimezone: "America/New_York" };
    const made = await connect({ isDryRun: true, setsStore: true });
    expect(made.added).toEqual(NEEDED_TOPICS);
    expect(made.differences.map(({ field, shops }) => [field, shops])).toEqual([
      ["currency", "USD"],
      ["time_zone", "America/New_York"],
    ]);
    expect([flow.platform.webhooks, made.isStoreSet]).toEqual([[], false]);
    expect((await readProgram(flow.deps.db)).store.currency).toBe("JPY");
  });

  test("sets the shop's currency and time zone where it was asked to", async () => {
    flow.platform.settings = { currencyCode: "USD", ianaTimezone: "America/New_York" };
    expect(await connect()).toMatchObject({ isStoreSet: false });
    expect((await readProgram(flow.deps.db)).store).toMatchObject({ currency: "JPY" });
    expect(await connect({ setsStore: true })).toMatchObject({ isStoreSet: true });
    expect((await readProgram(flow.deps.db)).store).toMatchObject({ currency: "USD", timeZone: "America/New_York" });
    expect((await connect()).differences).toEqual([]);
  });

  test("with another time zone brings no points back that are due, although no sweep has reached them", async () => {
    await flow.program({ expiration: { delay_months: 12 } });
    await flow.customer("c");
    await flow.give("c", 100);
    flow.clock.set("2027-03-02T15:00:00Z"); // the next day of Tokyo has begun, not that of New York
    expect(await flow.balance("c")).toBe(0);
    flow.platform.settings = { currencyCode: "JPY", ianaTimezone: "America/New_York" };
    expect(await connect({ setsStore: true })).toMatchObject({ isStoreSet: true });
    expect(await flow.balance("c")).toBe(0);
  });

  test("names what is wrong: another address, a format, fields that are left out, a topic that is refused", async () => {
    const plain = { uri: URL, format: "JSON", metafieldNamespaces: [], includeFields: [] };
    flow.platform.webhooks.push(
      { ...plain, topic: "ORDERS_PAID", uri: "https://old.example/hooks" },
      { ...plain, topic: "ORDERS_CREATE", format: "XML" },
      { ...plain, topic: "REFUNDS_CREATE", includeFields: ["id"] },
      { ...plain, topic: "CUSTOMERS_UPDATE" },
    );
    flow.platform.deniedTopics.add("FULFILLMENTS_CREATE");
    const { wrong, added } = await connect();
    expect(wrong).toEqual([
      "ORDERS_PAID also goes to https://old.example/hooks",
      "ORDERS_CREATE is sent as XML: expected JSON",
      "REFUNDS_CREATE leaves fields out: expected all of them",
      "CUSTOMERS_UPDATE has no birthdays: expected the metafield namespace facts",
      "FULFILLMENTS_CREATE was not added: The app is not approved for this topic",
    ]);
    expect(added).toContain("ORDERS_PAID");
  });

  test("a token without orders is refused, one without the rest is named", async () => {
    flow.platform.scopes.splice(0, flow.platform.scopes.length, "read_orders", "read_customers");
    expect((await connect()).missingAccess.map(({ scope }) => scope)).toEqual([
      "write_customers",
      "read_customer_merge",
      "write_discounts",
      "read_products",
      "read_fulfillments",
      "read_all_orders",
    ]);
    flow.platform.scopes.splice(0, 1);
    await expect(connect()).rejects.toThrow(/lacks read_orders/);
  });

  test("waits while the platform throttles, and says what a refused token is", async () => {
    let count = 0;
    flow.platform.fate = () => (["throttled", "429", "done"] as const)[count++ % 3] ?? "done";
    expect((await connect({ isDryRun: true })).added).toEqual(NEEDED_TOPICS);
    const { platforms } = flow.deps.config;
    const admin = { url: flow.platform.url, timeoutMs: 20_000, token: "shpat_other" };
    const config = { ...flow.deps.config, platforms: { ...platforms, shopify: { ...NO_PLATFORM, admin } } };
    const other = openPort({ ...flow.deps, config }, "shopify");
    if (other === undefined) throw new Error("no token");
    await expect(connectPlatform(flow.deps, other.connection, { isDryRun: false, setsStore: false })).rejects.toThrow(
      /SHOPIFY_ADMIN_TOKEN/,
    );
  });
});

/** An order of 1,000 yen of a day of 2020, paid and shipped: 10 points. */
function sold(n: number): OrderSpec {
  const at = Temporal.PlainDate.from("2020-03-01")
    .add({ days: n - 1 })
    .toString()
    .concat("T00:00:00+00:00");
  const order = pendingOrder(String(8_200_000_000_000 + n * 1_000), "JPY", [product(String(n), 1_000n, 1)]);
  const fulfillment = { ...shipment(order, String(9_000 + n), at), createdAt: at };
  const customer = order.customer === null ? null : { ...order.customer, updatedAt: at };
  return { ...order, customer, financialStatus: "paid", fulfillments: [fulfillment], createdAt: at, updatedAt: at };
}

function shelve(count: number): OrderSpec[] {
  const orders = Array.from({ length: count }, (_, i) => sold(i + 1));
  for (const order of orders) {
    flow.platform.shelf.orders.push(writeJson(buildOrder(order)));
    if (order.customer !== null) flow.platform.shelf.customers.push(writeJson(buildCustomer(order.customer)));
  }
  return orders;
}

async function awarded(): Promise<number> {
  const [row] = await flow.deps.db.query<{ points: bigint }>(
    "select coalesce(sum(point_value), 0)::bigint as points from allotment where type = 'fulfillment'",
  );
  return Number(row?.points);
}

const read = (signal = new AbortController().signal, onProgress?: (done: number, total: number | undefined) => void) =>
  backFill(flow.deps, flow.port.history, {
    resource: "orders",
    since: BEGINNING,
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });

test("the command: a dry run, then all of it, then nothing new", async () => {
  shelve(3);
  flow.platform.products.push({ id: "7700", tags: ["tea"], updatedAt: "2019-01-01T00:00:00Z" });
  const { host, port, user, database } = flow.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_DATA_DIR: "/nonexistent",
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    PUBLIC_URL: "https://points.example",
    SHOPIFY_ADMIN_TOKEN: flow.platform.token,
    SHOPIFY_ADMIN_URL: flow.platform.url,
    LOG_LEVEL: "error",
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(["connect", "shopify", "--json", ...args], env);
    return { code, stderr, said: stdout === "" ? null : JSON.parse(stdout) };
  };
  const look = await run("--dry-run", "--since", "2020-01-01T00:00:00Z");
  const [since, ever] = ["2020-01-01T00:00:00.000000Z", "2000-01-01T00:00:00.000000Z"];
  const counts = [since, ever, since].map((from, i) => ({ from, count: [3, 1, 3][i] })); // tags of all products
  expect(look, look.stderr).toMatchObject({ code: 0, said: { dry_run: true, history: counts } });
  expect([flow.platform.webhooks, await awarded()]).toEqual([[], 0]);
  const done = await run();
  const all = [{ count: 3 }, { tally: { fresh: 1 } }, { tally: { fresh: 3 } }];
  expect(done, done.stderr).toMatchObject({ code: 0, said: { history: all } });
  expect([flow.platform.webhooks.length, await awarded()]).toEqual([NEEDED_TOPICS.length, 30]);
  expect((await run("--webhooks-only")).said).toMatchObject({ webhooks: { added: [], wrong: [] }, history: [] });
  expect(await run("--since", "soon")).toMatchObject({ code: 2, stderr: expect.stringContaining("--since soon") });
});

describe("the history", () => {
  test("is read page by page, counts, and is read once", async () => {
    shelve(7);
    flow.platform.shelf.pageSize = 3;
    const steps: [number, number | undefined][] = [];
    expect(await read(undefined, (done, total) => void steps.push([done, total]))).toMatchObject({
      lines: 7,
      fresh: 7,
    });
    expect(steps).toEqual([
      [3, 7],
      [6, 7],
      [7, 7],
    ]);
    expect(await awarded()).toBe(70);
    expect(await read()).toMatchObject({ lines: 1, fresh: 0, known: 1 }); // the newest, at which it continues
    expect(await awarded()).toBe(70);
  });

  test("a run that begins earlier than the one before reads what that one left out, and what a killed one did", async () => {
    shelve(3);
    flow.platform.shelf.pageSize = 1;
    const from = (since: Temporal.Instant) =>
      backFill(flow.deps, flow.port.history, { resource: "orders", since, signal: new AbortController().signal });
    const killed = new AbortController();
    await read(killed.signal, (done) => void (done === 1 && killed.abort()));
    expect(await from(Temporal.Instant.from("2020-03-03T00:00:00Z"))).toMatchObject({ lines: 1, fresh: 1 });
    expect(await from(BEGINNING)).toMatchObject({ lines: 3, fresh: 1, known: 2 });
    expect(await from(BEGINNING)).toMatchObject({ lines: 1, known: 1 });
  });

  test("goes on where a killed run ended", async () => {
    shelve(8);
    flow.platform.shelf.pageSize = 2;
    const killed = new AbortController();
    await expect(
      read(killed.signal, (done) => {
        if (done === 4) killed.abort();
      }),
    ).resolves.toMatchObject({ fresh: 4 });
    flow.platform.calls.length = 0;
    expect(await read()).toMatchObject({ fresh: 4, known: 1 });
    expect(flow.platform.calls.filter((call) => call === "orders.json")).toHaveLength(3);
    expect(await awarded()).toBe(80);
  });

  test("a page that is cut or throttled is fetched again; a platform that stays away ends it, and nothing is lost", async () => {
    shelve(6);
    flow.platform.shelf.pageSize = 2;
    let count = 0;
    flow.platform.fate = (operation) =>
      operation === "orders.json" ? ((["done", "cut", "429", "lost before"] as const)[count++ % 4] ?? "done") : "done";
    expect(await read()).toMatchObject({ fresh: 6, failed: 0 });
    expect(await awarded()).toBe(60);
    shelve(1);
    flow.platform.fate = () => "cut";
    await expect(read()).rejects.toThrow();
    flow.platform.fate = () => "done";
    expect(await read()).toMatchObject({ failed: 0 });
    expect(await awarded()).toBe(60);
  });
});
