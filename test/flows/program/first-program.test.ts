import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { basic, type Client, createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder, runCli, spawnPointkeeper, spawnService } from "../../support/service-process.ts";
import { signIn } from "../../support/staff.ts";
import { waitUntil } from "../../support/wait-until.ts";

const DOLLARS = {
  store: { name: "Tea", currency: "USD", time_zone: "America/New_York" },
  earning: { point_value: 1, currency_value: 100 },
};
const CREDENTIAL = { key: "k", secret: "s".repeat(43) };

/** Paid and shipped, in dollars, as a script reports it. */
function paid(id: string, customer: string, cents: number, more: object = {}): object {
  const at = "2026-02-01T10:00:00-05:00";
  return {
    type: "OrderPaid",
    delivery_key: `paid-${id}`,
    occurred_at: at,
    payload: {
      order_id: id,
      customer_id: customer,
      shop_currency: "USD",
      taxes_included: true,
      processed_at: at,
      lines: [{ line_id: `${id}-1`, quantity: 1, unit_price: { minor: cents, currency: "USD" } }],
      fulfillments: [{ fulfillment_id: `${id}-F`, created_at: at, lines: [{ line_id: `${id}-1`, quantity: 1 }] }],
      ...more,
    },
  };
}

function refunded(id: string, cents: number): object {
  const at = "2026-02-03T10:00:00-05:00";
  const money = { minor: cents, currency: "USD" };
  return {
    type: "OrderRefunded",
    delivery_key: `refund-${id}`,
    occurred_at: at,
    payload: {
      order_id: id,
      refund: {
        refund_id: `${id}-R`,
        created_at: at,
        lines: [{ line_id: `${id}-1`, quantity: 1, restock: "return", subtotal: money }],
        money_moved: money,
      },
    },
  };
}

async function told(client: Client, ...events: object[]): Promise<void> {
  const answer = await client.post("/intake/events", events);
  expect(answer.status).toBe(202);
}

async function points(client: Client, id: string): Promise<unknown> {
  return (await client.get(`/api/storefront/orders?ids=${id}`)).body.data[id];
}

async function balance(client: Client, id: string): Promise<number> {
  return (await client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;
}

const services: TestService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});

/** A store on which nobody has applied a program; the worker runs. */
async function newStore(options: Parameters<typeof startTestService>[0] = {}): Promise<TestService> {
  const service = await startTestService({ now: "2026-03-01T00:00:00Z", ...options });
  services.push(service);
  return service;
}

async function allDone(service: TestService): Promise<void> {
  await waitUntil(async () => {
    const [row] = await service.deps.db.query<{ open: bigint }>(
      "select count(*) as open from receipt where state = 'new'",
    );
    return row?.open === 0n;
  });
}

describe("orders told before the first program", () => {
  test("earn once it is applied by the dashboard, without being told again; what is told twice stays", async () => {
    const service = await newStore();
    const { client } = service;
    await told(client, paid("u1", "ana", 19_900), paid("u2", "ben", 5_000), refunded("u2", 5_000));
    await allDone(service);
    expect(await points(client, "u1")).toMatchObject({ awardable_points: 0, points_awarded: 0 });

    const admin = await signIn(service, "owner");
    const before = (await admin.get("/program")).body.data;
    const body = { document: DOLLARS, base_version: before.version };
    const shown = (await admin.post("/program/preview", body)).body.data;
    expect(shown.judged_again).toMatchObject({ orders: 2, looked_at: 2, changed: 1, points_more: 199, points_less: 0 });
    expect(await balance(client, "ana")).toBe(0);
    expect((await admin.post("/program", body)).status).toBe(200);
    await waitUntil(async () => (await balance(client, "ana")) === 199);
    expect(await points(client, "u1")).toMatchObject({ awardable_points: 199, points_awarded: 199 });
    expect(await points(client, "u2")).toMatchObject({ awardable_points: 0, points_awarded: 0 });
    await told(client, paid("u1", "ana", 19_900, { updated_at: "2026-02-04T00:00:00Z" }));
    await allDone(service);
    expect([await balance(client, "ana"), await balance(client, "ben")]).toEqual([199, 0]);
  });

  test("those that the stand-in evaluated in its own currency are recalculated: the difference, less what was spent", async () => {
    const service = await newStore();
    const { client } = service;
    const yen = (id: string, customer: string) => {
      const price = { minor: 10_000, currency: "JPY" };
      return paid(id, customer, 0, {
        shop_currency: "JPY",
        lines: [{ line_id: `${id}-1`, quantity: 1, unit_price: price }],
      });
    };
    await told(client, yen("y1", "chie"), yen("y2", "dai"));
    await allDone(service);
    expect([await balance(client, "chie"), await balance(client, "dai")]).toEqual([100, 100]);
    await client.post("/api/storefront/point_allotments", { customer_id: "dai", point_value: -90 });
    const admin = await signIn(service, "owner");
    const apply = async (base: number, points: number) =>
      (
        await admin.post("/program", {
          base_version: base,
          document: { earning: { point_value: points, currency_value: 200 } },
        })
      ).status;
    expect(await apply(1, 1)).toBe(200);
    await waitUntil(async () => (await balance(client, "chie")) === 50);
    await waitUntil(async () => (await balance(client, "dai")) === 0); // 50 too many, of which 10 are left
    expect(await points(client, "y2")).toMatchObject({ awardable_points: 50, points_awarded: 90 });
    expect(await apply(2, 8)).toBe(200); // holds from now on
    await told(client, yen("y3", "emi"));
    await allDone(service);
    expect([await balance(client, "emi"), await balance(client, "chie")]).toEqual([50, 50]);
  });

  test("wait, and say so: on Home, in the list of orders, in the log", async () => {
    const lines: string[] = [];
    const service = await newStore({ worker: false, logLevel: "warn", log: (line) => lines.push(line) });
    await told(
      service.client,
      paid("w1", "ana", 19_900),
      paid("w2", "", 500, { customer_id: null, email: "no@one.com" }),
    );
    await processAllReceipts(service.deps);
    const admin = await signIn(service, "viewer");
    const { health } = (await admin.get("/home")).body.data;
    expect(health).toMatchObject({ orders_no_program: 1, orders_other_currency: 0, orders_no_customer: 1 });
    const listed = async (state: string) =>
      (await admin.get(`/orders?state=${state}`)).body.data.map((row: { order_id: string; state: string }) => [
        row.order_id,
        row.state,
      ]);
    expect(await listed("no_program")).toEqual([["w1", "no_program"]]);
    expect(await listed("other_currency")).toEqual([]);
    const { logWaitingOrders } = await import("../../../src/orders/log-waiting-orders.ts");
    expect(await logWaitingOrders(service.deps)).toBe(1);
    expect(lines.join("")).toContain("wait until a program is applied");
  });
});

describe("beside a running service", () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { host, port, user, database: name } = database.connection;
    env = {
      DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
      POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
      POINTKEEPER_API_KEY: CREDENTIAL.key,
      POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    };
  });
  afterAll(() => database.drop());

  test("`program apply --dry-run` shows the effect; killed in the middle, the rest is done by the next", async () => {
    const folder = await makeFolder();
    const { writeFile } = await import("node:fs/promises");
    const file = `${folder.path}/program.json`;
    await writeFile(file, JSON.stringify(DOLLARS));
    const first = await spawnService(env);
    const client = createClient(first.url, basic(CREDENTIAL));
    const orders = Array.from({ length: 120 }, (_, n) => paid(`k${n}`, `c${n % 40}`, 1_000 + 100 * (n % 7)));
    await told(client, ...orders);
    await waitUntil(async () => (await points(client, "k119")) !== undefined);
    await waitUntil(async () => (await database.db.query("select from receipt where state <> 'done'")).length === 0);
    const dry = await runCli(["program", "apply", file, "--dry-run"], env);
    expect(dry.stdout).toMatch(/120 orders would be recalculated.*\+1557/);

    const command = spawnPointkeeper(["program", "apply", file], env);
    await waitUntil(async () => (await database.db.query("select from allotment")).length > 20);
    first.child.kill("SIGKILL");
    command.child.kill("SIGKILL");
    await Promise.all([first.ended, command.ended]);
    const second = await spawnService(env);
    const after = createClient(second.url, basic(CREDENTIAL));
    const sum = async () => {
      const rows = await database.db.query<{ points: bigint }>(
        "select sum(ledger_points)::bigint as points from balance",
      );
      return rows[0]?.points;
    };
    await waitUntil(async () => (await sum()) === 1_557n);
    expect(await points(after, "k0")).toMatchObject({ awardable_points: 10, points_awarded: 10 });
    await waitUntil(
      async () => (await database.db.query("select from program_review where finished_at is null")).length === 0,
    );
    expect(await sum()).toBe(1_557n);
    await second.stop();
    await folder.remove();
  });
});
