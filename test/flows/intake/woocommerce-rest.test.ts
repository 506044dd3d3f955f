import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { backFill } from "../../../src/platform-sync/back-fill.ts";
import { connectPlatform } from "../../../src/platform-sync/connect-platform.ts";
import { openPort } from "../../../src/platform-sync/index.ts";
import type { PlatformPort, Resource } from "../../../src/platform-sync/platform-port.ts";
import { reconcilePlatform } from "../../../src/platform-sync/reconcile-platform.ts";
import { WOO_NEEDED_TOPICS } from "../../../src/platforms/woocommerce/rest/connection.ts";
import { readProgram } from "../../../src/program/read-program.ts";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { runCli } from "../../support/service-process.ts";
import {
  startWooService,
  WOO_SECRET,
  type WooService,
  wooCustomer,
  wooOrder,
  wooRefunds,
} from "../../support/woocommerce.ts";
import { startWooServer, type WooResource, type WooServer } from "../../support/woocommerce-server.ts";

const BEGINNING = Temporal.Instant.from("2000-01-01T00:00:00Z");
const RUNNING = new AbortController().signal;

let server: WooServer;
let service: WooService;
let port: PlatformPort;
beforeEach(async () => {
  server = await startWooServer();
  service = await startWooService({ server });
  const opened = openPort(service.deps, "woocommerce");
  if (opened === undefined) throw new Error("no key");
  port = opened;
});
afterEach(async () => {
  expect(server.faults).toEqual([]);
  await service.stop();
  await server.close();
});

/** Completed on a day of March: 19 points, 6 for the tea and 12 for the pot and its tax. */
function sold(id: number, day: number, fields: object = {}): WooResource {
  const at = `2026-03-${String(day).padStart(2, "0")}T10:00:00`;
  return {
    ...wooOrder({ number: `${id}`, customer_id: id, status: "completed", date_modified_gmt: at, ...fields }),
    id,
  };
}

function shelve(...orders: readonly WooResource[]): void {
  for (const order of orders) {
    server.orders.push(order);
    server.customers.push(wooCustomer({ ...{ email: `${order.id}@example.com` }, id: order.id }));
  }
}

const refundStubs = () => wooRefunds().map(({ id, amount }) => ({ id, reason: "", total: `-${amount}` }));
const reconcile = () => reconcilePlatform(service.deps, { signal: RUNNING });
const fill = (resource: Resource = "orders", signal = RUNNING, onProgress = (_: number, __?: number) => {}) =>
  backFill(service.deps, port.history, { resource, since: BEGINNING, signal, onProgress });
const balances = (...ids: readonly number[]) => Promise.all(ids.map((id) => service.balance(id)));

describe("a daily reconciliation with a key", () => {
  test("makes up what was never delivered, page by page, and takes nothing twice", async () => {
    shelve(sold(1, 9), sold(2, 9), sold(3, 9), sold(4, 10), sold(5, 10), sold(6, 1));
    server.pageSize = 2; // three changed in the same second
    expect(await reconcile()).toBeGreaterThanOrEqual(10);
    expect(await balances(1, 2, 3, 4, 5, 6)).toEqual([19, 19, 19, 19, 19, undefined]);
    expect(await reconcile()).toBe(0);
    expect(await balances(1, 2, 3, 4, 5)).toEqual([19, 19, 19, 19, 19]);
  });

  test("knows customers and products that changed with no order", async () => {
    server.customers.push(wooCustomer({ id: 50, ...{ date_created_gmt: "2026-03-10T09:00:00" } }));
    server.customers.push(wooCustomer({ id: 51, ...{ date_created_gmt: "2026-03-01T09:00:00" } }));
    const product = { date_created_gmt: "2026-03-01T10:00:00", date_modified_gmt: "2026-03-10T10:00:00" };
    const shown = {
      name: "Pot",
      permalink: "https://tea.example/pot",
      categories: [{ id: 9 }],
      tags: [{ id: 3, name: "new" }],
    };
    server.products.push({ id: 22, ...product, ...shown });
    expect(await reconcile()).toBe(2);
    expect((await service.client.get("/api/storefront/customers/50")).body.data).toMatchObject({
      email: "hana@example.com",
    });
    expect((await service.client.get("/api/storefront/customers/51")).status).toBe(404);
    expect(await service.deps.db.query("select product_id, tags from product")).toMatchObject([{ tags: ["new"] }]);
  });

  test("waits and tries again while the store has had enough, and fails where it stays away", async () => {
    shelve(sold(1, 10));
    let count = 0;
    server.fate = () => (["429", "done", "503", "cut", "done"] as const)[count++ % 5] ?? "done";
    await reconcile();
    expect(await service.balance(1)).toBe(19);
    server.fate = () => "503";
    await expect(reconcile()).rejects.toThrow(/answered 503/);
    expect(await service.balance(1)).toBe(19);
  });

  test("sends the key to a public address over https alone, unless private ones are allowed", async () => {
    const config = { ...service.deps.config, allowPrivateCallbacks: false };
    await expect(reconcilePlatform({ ...service.deps, config }, { signal: RUNNING })).rejects.toThrow(
      /expected an https URL/,
    );
    const { woocommerce } = config.platforms;
    const rest = { url: "https://127.0.0.1:8443", key: "k", secret: "s", timeoutMs: 1_000 };
    const platforms = { ...config.platforms, woocommerce: { ...woocommerce, rest } };
    await expect(
      reconcilePlatform({ ...service.deps, config: { ...config, platforms } }, { signal: RUNNING }),
    ).rejects.toThrow(/expected a public address/);
    expect(server.calls).toEqual([]);
  });
});

describe("refunds", () => {
  test("are exact by their lines: that of the shipping takes nothing", async () => {
    const [shipping, pot] = wooRefunds();
    if (shipping === undefined || pot === undefined) throw new Error("no refunds");
    shelve(sold(1, 9, { refunds: [refundStubs()[0]] }));
    await service.send("order.updated", sold(1, 9, { refunds: [refundStubs()[0]] }));
    expect(await service.balance(1)).toBe(9); // 10.00 of 19.35, in proportion
    server.refunds.set(1, [shipping]);
    await reconcile();
    expect(await service.balance(1)).toBe(19);
    const [order] = server.orders;
    if (order !== undefined) Object.assign(order, { refunds: refundStubs(), date_modified_gmt: "2026-03-10T11:00:00" });
    server.refunds.set(1, [shipping, pot]);
    await reconcile();
    expect(await service.balance(1)).toBe(6); // 6.45 is left of the goods
    await service.send("order.updated", { ...order });
    expect(await service.balance(1)).toBe(6);
  });
});

/** The three ways in which one order comes, and what they come to whatever their order is. */
const WAYS = ["webhook", "reconcile", "history"] as const;
const orders3 = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, i) => orders3(list.filter((_, k) => k !== i)).map((rest) => [one, ...rest]));

test.each(orders3(WAYS))(
  "webhooks, reconciliation and history in any order give the same points: %s, %s, %s",
  async (...ways) => {
    const order = sold(1, 10, { refunds: refundStubs() });
    shelve(order, sold(2, 10));
    server.refunds.set(1, wooRefunds());
    for (const way of [...ways, ...ways]) {
      if (way === "webhook") for (const one of server.orders) await service.send("order.updated", one);
      else if (way === "reconcile") await reconcile();
      else for (const resource of port.history.resources) await fill(resource);
    }
    expect(await balances(1, 2)).toEqual([6, 19]);
  },
);

test("the command: a dry run, then all of it, then nothing new", async () => {
  shelve(sold(1, 2), sold(2, 3));
  const { host, port: socket, user, database } = service.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${socket}`,
    POINTKEEPER_DATA_DIR: "/nonexistent",
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
    PUBLIC_URL: "https://points.example",
    WOOCOMMERCE_STORE_URL: server.url,
    WOOCOMMERCE_WEBHOOK_SECRETS: WOO_SECRET,
    WOOCOMMERCE_CONSUMER_KEY: server.key,
    WOOCOMMERCE_CONSUMER_SECRET: server.secret,
    LOG_LEVEL: "error",
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(["connect", "woocommerce", "--json", ...args], env);
    return { code, stderr, said: stdout === "" ? null : JSON.parse(stdout) };
  };
  const look = await run("--dry-run");
  const counts = { dry_run: true, history: [{ count: 2 }, { count: 0 }, { count: 2 }] };
  expect(look, look.stderr).toMatchObject({ code: 0, said: counts });
  expect([server.webhooks, await service.balance(1)]).toEqual([[], undefined]);
  const done = await run();
  expect(done, done.stderr).toMatchObject({ code: 0, said: { webhooks: { added: WOO_NEEDED_TOPICS, wrong: [] } } });
  expect(await balances(1, 2)).toEqual([19, 19]);
  const { WOOCOMMERCE_CONSUMER_SECRET: _, ...half } = env;
  const refused = await runCli(["connect", "woocommerce"], half);
  expect(refused.code).toBeGreaterThan(0);
  expect(refused.stderr).toContain("must be set together");
});

describe("connecting", () => {
  const connect = (order: { isDryRun?: boolean; setsStore?: boolean } = {}) =>
    connectPlatform(service.deps, port.connection, { isDryRun: false, setsStore: false, ...order });

  test("adds every webhook once, signed, and compares the settings", async () => {
    const look = await connect({ isDryRun: true });
    expect([look.added, server.webhooks]).toEqual([WOO_NEEDED_TOPICS, []]);
    expect(look.differences.map(({ field, shops }) => [field, shops])).toEqual([["time_zone", "America/New_York"]]);
    expect(await connect({ setsStore: true })).toMatchObject({
      missingAccess: [],
      added: WOO_NEEDED_TOPICS,
      wrong: [],
    });
    expect((await readProgram(service.deps.db)).store).toMatchObject({ timeZone: "America/New_York" });
    const delivery_url = "https://points.example/intake/woocommerce/webhooks";
    expect(server.webhooks[0]).toMatchObject({ delivery_url, status: "active", secret: "the secret of the webhook" });
    expect(await connect()).toMatchObject({ added: [], wrong: [], differences: [] });
    Object.assign(server.webhooks[1] ?? {}, { status: "disabled" });
    expect((await connect()).wrong).toEqual(["order.updated is disabled: set it to active in the store"]);
  });

  test("says what a key that may only read cannot do, and what a wrong key is", async () => {
    server.permission = "read";
    const { missingAccess, wrong } = await connect();
    expect(missingAccess.map(({ scope }) => scope)).toEqual(["write"]);
    expect(wrong).toHaveLength(WOO_NEEDED_TOPICS.length);
    expect(server.webhooks).toEqual([]);
    Object.assign(server, { secret: "another" });
    await expect(connect()).rejects.toThrow(/Consumer secret is invalid.*WOOCOMMERCE_CONSUMER_KEY/);
  });

  test("a customer who is deleted while the history is read hides no other", async () => {
    for (let id = 1; id <= 7; id++) server.customers.push(wooCustomer({ id, email: `${id}@example.com` }));
    server.pageSize = 2;
    let lists = 0;
    server.before = async () => {
      lists += 1;
      if (lists === 3) server.customers.splice(0, 1); // 1 and 2 were read: 3 takes the place of 2
    };
    await fill("customers");
    expect(await balances(1, 2, 3, 4, 5, 6, 7)).toEqual(Array(7).fill(0));
  });

  test("reads the history, counts, and goes on where a killed run ended", async () => {
    shelve(...[1, 2, 3, 4, 5, 6, 7].map((n) => sold(n, n)));
    server.pageSize = 2;
    const killed = new AbortController();
    const steps: (number | undefined)[][] = [];
    await fill("customers");
    await fill("orders", killed.signal, (done, total) => {
      steps.push([done, total]);
      if (steps.length === 2) killed.abort();
    });
    expect(steps[0]?.[1]).toBe(7);
    server.calls.length = 0;
    await fill();
    expect(await balances(1, 2, 3, 4, 5, 6, 7)).toEqual(Array(7).fill(19));
    expect(server.calls.filter((call) => call === "GET /wc/v3/orders").length).toBeLessThan(8);
    expect((await fill("customers")).fresh).toBe(0);
  });
});
