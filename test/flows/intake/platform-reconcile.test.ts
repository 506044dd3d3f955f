import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildCustomer } from "../../../demo/payloads/customer-payload.ts";
import { buildOrder } from "../../../demo/payloads/order-payload.ts";
import type { OrderSpec } from "../../../demo/payloads/order-spec.ts";
import { writeJson } from "../../../demo/payloads/platform-json.ts";
import { runJob } from "../../../src/jobs/run-job.ts";
import { JOBS } from "../../../src/jobs/schedule.ts";
import { createLog } from "../../../src/log.ts";
import { openPort } from "../../../src/platform-sync/index.ts";
import { beginHistory, saveHistoryMark, selectHistoryStart } from "../../../src/platform-sync/mark-queries.ts";
import { reconcilePlatform } from "../../../src/platform-sync/reconcile-platform.ts";
import { readPlatformSettings } from "../../../src/platforms/index.ts";
import { fieldOf } from "../../../src/platforms/json-source.ts";
import { exitCodeOf, failureLine } from "../../../src/start/failure-line.ts";
import { pendingOrder, product, shipment } from "../../fixtures/stories/story.ts";
import { NO_PLATFORM, type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";

const RUNNING = new AbortController().signal;

let flow: PlatformFlow;
beforeEach(async () => {
  flow = await startPlatformFlow({ now: "2026-03-02T12:00:00Z", config: { platform: "shopify" } });
});
afterEach(async () => {
  expect(flow.platform.faults).toEqual([]);
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** An order of 1,000 yen, paid and shipped at a time: 10 points. */
function sold(n: number, at: string): OrderSpec {
  const order = pendingOrder(String(8_200_000_000_000 + n * 1_000), "JPY", [product(String(n), 1_000n, 1)]);
  const fulfillment = { ...shipment(order, String(9_000 + n), at), createdAt: at };
  const customer = order.customer === null ? null : { ...order.customer, updatedAt: at };
  return { ...order, customer, financialStatus: "paid", fulfillments: [fulfillment], createdAt: at, updatedAt: at };
}

function shelve(...orders: readonly OrderSpec[]): void {
  for (const order of orders) {
    flow.platform.shelf.orders.push(writeJson(buildOrder(order)));
    if (order.customer !== null) flow.platform.shelf.customers.push(writeJson(buildCustomer(order.customer)));
  }
}

async function points(order: OrderSpec): Promise<number | null> {
  const { status, body } = await flow.client.get(`/api/storefront/point_balances/${order.customer?.id}`);
  return status === 200 ? body.data.point_balance : null;
}

const listsOf = (resource: string, pages: number) => Array(pages).fill(`${resource}.json`);
const PRODUCTS = ["currentAppInstallation", "products"];

const at = (hour: number, day = 2) => `2026-03-0${day}T${String(hour).padStart(2, "0")}:00:00+00:00`;

describe("a daily reconciliation with a token", () => {
  test("makes up what was never delivered, page by page, and takes nothing twice", async () => {
    const orders = [1, 2, 3, 4, 5].map((n) => sold(n, at(n)));
    shelve(...orders, sold(6, "2026-02-20T00:00:00+00:00"));
    flow.platform.shelf.pageSize = 2;
    expect(await reconcilePlatform(flow.deps, { signal: RUNNING })).toBe(10);
    expect(flow.platform.calls).toEqual([...listsOf("customers", 3), ...PRODUCTS, ...listsOf("orders", 3)]);
    for (const order of orders) expect(await points(order)).toBe(10);
    expect(await points(sold(6, at(1)))).toBeNull(); // changed before the first run's day
    expect(await reconcilePlatform(flow.deps, { signal: RUNNING })).toBe(0);
    for (const order of orders) expect(await points(order)).toBe(10);
  });

  test("reads the tags of products before the orders that name them, if the token may read products", async () => {
    await flow.program({ earning: { excluded_product_tags: ["no-points"] } });
    const orders = [1, 2].map((n) => {
      const order = sold(n, at(12 + n)); // after the program
      return { ...order, lines: order.lines.map((line) => ({ ...line, productId: `77${n}` })) };
    });
    shelve(...orders);
    const tagged = (id: string, tags: string[]) => ({ id, tags, updatedAt: "2026-03-02T01:00:00Z" });
    const others = Array.from({ length: 20 }, (_, n) => tagged(`${900 + n}`, ["tea"]));
    flow.platform.products.push(...others, tagged("771", ["No-Points", "tea"]), tagged("772", ["tea"]));
    const scopes = flow.platform.scopes.splice(0);
    flow.platform.scopes.push("read_orders");
    const since = Temporal.Instant.from("2000-01-01T00:00:00Z");
    for await (const page of flow.port.history.changes("products", since, RUNNING)) expect(page).toBeNull();
    expect(await flow.port.history.count("products", { since, position: null })).toBe(0);
    flow.platform.scopes.push(...scopes);
    expect(await reconcilePlatform(flow.deps, { signal: RUNNING })).toBe(26);
    expect(await Promise.all(orders.map(points))).toEqual([0, 10]);
    expect(await reconcilePlatform(flow.deps, { signal: RUNNING })).toBe(0);
  });

  test("a list that fails keeps no other from being read", async () => {
    const orders = [1, 2].map((n) => sold(n, at(n)));
    shelve(...orders);
    for (const failing of ["customers.json", "products"]) {
      flow.platform.fate = (operation) => (operation === failing ? "denied" : "done");
      await expect(reconcilePlatform(flow.deps, { signal: RUNNING })).rejects.toThrow(failing.replace(".json", ""));
    }
    expect(await Promise.all(orders.map(points))).toEqual([10, 10]);
  });

  test("orders wait for products that take long only for a while, and these are read to the end", async () => {
    const order = sold(1, at(1));
    shelve(order);
    flow.platform.products.push({ id: "771", tags: ["tea"], updatedAt: "2026-03-02T01:00:00Z" });
    const ordersRead = Promise.withResolvers<void>();
    flow.platform.before = async (operation) => {
      if (operation === "orders.json") ordersRead.resolve();
      if (operation === "products") await ordersRead.promise;
    };
    expect(await reconcilePlatform(flow.deps, { signal: RUNNING, headStartMs: 0 })).toBe(3);
    expect(await points(order)).toBe(10);
  });

  test("waits for products longer than for a coupon, and ends at once when it is stopped", async () => {
    flow.platform.retryAfterS = 30;
    flow.platform.fate = (operation) => (operation === "products" ? "429" : "done");
    const stopped = new AbortController();
    const onLine = (line: string) => void (line.includes("the platform throttles") && stopped.abort());
    const log = createLog({ level: "debug", pretty: false, write: onLine });
    const reading = reconcilePlatform({ ...flow.deps, log }, { signal: stopped.signal });
    await expect(reading).rejects.toThrow("abort");
  });

  test("lists more products than a cursor leads to", async () => {
    const from = Temporal.Instant.from("2026-03-01T00:00:00Z");
    const updatedAt = (n: number) => from.add({ seconds: Math.floor(n / 3) }).toString();
    const products = Array.from({ length: 1_005 }, (_, n) => ({ id: `${n + 1}`, tags: [], updatedAt: updatedAt(n) }));
    flow.platform.products.push(...products);
    const seen = new Set<unknown>();
    for await (const { resources } of flow.port.history.changes("products", from, RUNNING))
      for (const product of resources) seen.add(fieldOf(product, "admin_graphql_api_id"));
    expect(seen.size).toBe(products.length);
  });

  test("goes on where a killed run ended", async () => {
    const orders = [1, 2, 3, 4].map((n) => sold(n, at(n)));
    shelve(...orders);
    flow.platform.shelf.pageSize = 1;
    const killed = new AbortController();
    flow.platform.before = async (operation) => {
      if (operation === "orders.json" && flow.platform.calls.filter((call) => call === operation).length === 3)
        killed.abort();
    };
    await expect(reconcilePlatform(flow.deps, { signal: killed.signal })).rejects.toThrow();
    expect(await Promise.all(orders.map(points))).toEqual([10, 10, 0, 0]);
    flow.platform.before = async () => {};
    expect(await reconcilePlatform(flow.deps, { signal: RUNNING })).toBe(2);
    expect(await Promise.all(orders.map(points))).toEqual([10, 10, 10, 10]);
  });

  test("sees a change of the day before its mark, and later ones", async () => {
    shelve(sold(1, at(10)));
    await reconcilePlatform(flow.deps, { signal: RUNNING });
    const [late, next] = [sold(2, at(1)), sold(3, at(9, 3))];
    shelve(late, next);
    flow.clock.advance({ hours: 24 });
    await reconcilePlatform(flow.deps, { signal: RUNNING });
    expect([await points(late), await points(next)]).toEqual([10, 10]);
  });

  test("waits while the platform throttles, and fails where it is away", async () => {
    const order = sold(1, at(1));
    shelve(order);
    let count = 0;
    flow.platform.fate = () => (count++ % 2 === 0 ? "429" : "done");
    expect(await reconcilePlatform(flow.deps, { signal: RUNNING })).toBe(2);
    flow.platform.fate = () => "lost before";
    await expect(reconcilePlatform(flow.deps, { signal: RUNNING })).rejects.toThrow();
    expect(await points(order)).toBe(10);
  });

  test("is a job that one node of many runs once a day, and none without a token", async () => {
    const job = JOBS.find(({ name }) => name === "reconcile with the platform");
    if (job === undefined) throw new Error("no job");
    shelve(sold(1, at(1)));
    const ran = await Promise.all([1, 2, 3].map(() => runJob(flow.deps, job)));
    expect(ran.filter(Boolean)).toHaveLength(1);
    expect(flow.platform.calls).toEqual([...listsOf("customers", 1), ...PRODUCTS, ...listsOf("orders", 1)]);
    expect(await runJob(flow.deps, job)).toBe(false);
    flow.clock.advance({ hours: 24 });
    const without = {
      ...flow.deps,
      config: { ...flow.deps.config, platforms: { ...readPlatformSettings({}), shopify: NO_PLATFORM } },
    };
    expect(await runJob(without, job)).toBe(false);
    expect(await runJob(flow.deps, job)).toBe(true);
  });

  test("an app without a token has one granted, and another one once it is refused", async () => {
    const { platforms } = flow.deps.config;
    const { token } = flow.platform;
    const portOf = (secret: string) => {
      const admin = { url: flow.platform.url, timeoutMs: 20_000, client: { id: "app", secret } };
      const config = { ...flow.deps.config, platforms: { ...platforms, shopify: { ...NO_PLATFORM, admin } } };
      const port = openPort({ ...flow.deps, config }, "shopify");
      if (port === undefined) throw new Error("no port");
      return port;
    };
    const grants = () => flow.platform.calls.filter((call) => call === "access_token").length;
    const { connection, history } = portOf("word");
    await connection.storeSettings();
    await connection.storeSettings();
    expect(grants()).toBe(1);
    flow.platform.token = "shpat_next";
    expect(await connection.storeSettings()).toMatchObject({ currency: "JPY" });
    flow.platform.token = "shpat_last";
    for await (const page of history.changes("orders", Temporal.Instant.from("2000-01-01T00:00:00Z"), RUNNING))
      expect(page.resources).toEqual([]);
    expect(grants()).toBe(3);
    await expect(portOf("other").connection.storeSettings()).rejects.toThrow(/no access token was granted/);
    flow.platform.token = token;
  });
});

test("of two runs that read a history, the one that began last saves how far it is, and nothing is left out", async () => {
  const { db, random } = flow.deps;
  const day = (text: string) => Temporal.Instant.from(`${text}T00:00:00Z`);
  const [first, last] = [random.uid(), random.uid()].map((uid) => ({ mark: "history of orders", uid }));
  if (first === undefined || last === undefined) throw new Error("two were made");
  await db.tx((tx) => beginHistory(tx, first, day("2024-01-01")));
  await db.tx((tx) => saveHistoryMark(tx, first, { changedAt: day("2025-01-01"), position: "of the first" }));
  await db.tx((tx) => beginHistory(tx, last, day("2020-01-01")));
  const late = db.tx((tx) => saveHistoryMark(tx, first, { changedAt: day("2025-06-01"), position: "of the first" }));
  await expect(late).rejects.toThrow("Another pointkeeper connect has begun");
  const read = { changedAt: day("2021-01-01"), position: "of the last" };
  await db.tx((tx) => saveHistoryMark(tx, last, read));
  const start = await selectHistoryStart(db, last.mark, day("2020-01-01"));
  expect(start).toEqual({ since: read.changedAt, position: read.position });
});

test("a platform that is away is called that, and not a database that is away", async () => {
  flow.platform.fate = () => "cut";
  const error = await reconcilePlatform(flow.deps, { signal: RUNNING }).catch((thrown: unknown) => thrown);
  expect(failureLine(error)).toMatch(/^The platform cannot be reached: /);
  expect(exitCodeOf(error)).toBe(1);
});
