import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { processOrderReceipts } from "../../../src/intake/process-order-receipts.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { orderPaid, orderRefunded, orderShipped } from "../../support/order-wires.ts";

const YEN_STORE = { store: { currency: "JPY" } };

let service: IntakeService;

beforeAll(async () => {
  service = await startIntakeService({ program: YEN_STORE, log: () => {} });
});
afterAll(() => service.stop());
afterEach(async () => {
  await service.owner.execute("delete from receipt");
  const lines: string[] = [];
  await verifyLedger(service.deps.db, (line) => lines.push(line), ORDER_CHECKS);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
});

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

async function send(events: readonly object[]): Promise<void> {
  expect((await service.client.post("/intake/events", events)).status).toBe(202);
}

async function balance(customer: string): Promise<number> {
  return (await service.client.get(`/api/storefront/point_balances/${customer}`)).body.data.point_balance;
}

async function one<Row extends object>(text: string, params: readonly string[] = []): Promise<Row | undefined> {
  return (await service.deps.db.query<Row>(text, params))[0];
}

test("the orders of a backlog are one transaction, the receipts done with them", async () => {
  const orders = names("plain", 40);
  await send(orders.map((order) => orderPaid(order, `C-${order}`, 1)));
  const { processed, busy, alone } = await processOrderReceipts(
    service.deps,
    orders.map((order) => `order/${order}`),
  );
  expect([processed.length, busy, alone]).toEqual([40, [], []]);
  const written = await one(
    `select count(*)::int as rows, count(distinct xmin::text)::int as transactions
     from (select xmin from store_order where order_id like 'plain-%' union all select xmin from receipt) r`,
  );
  expect(written).toEqual({ rows: 80, transactions: 1 });
  await send(orders.flatMap((order) => [orderShipped(order, "a", 2), orderShipped(order, "b", 3)]));
  await service.drain();
  expect(await Promise.all(orders.map((order) => balance(`C-${order}`)))).toEqual(orders.map(() => 40));
});

test("one receipt that fails does so alone: the others of its set are done, its order and customer are untouched", async () => {
  const orders = names("mixed", 20);
  const customerOf = (n: number) => (n === 13 ? "poisoned" : `C-${n}`);
  await send(orders.map((order, n) => orderPaid(order, customerOf(n), 1)));
  await service.drain();
  await service.owner.execute("delete from receipt");
  await service.owner.execute(
    `create table kept as select b.* from balance b join customer_alias a using (bucket, customer_uid) where a.storefront_id = 'poisoned'`,
  );
  const same = "b.bucket = k.bucket and b.customer_uid = k.customer_uid";
  await service.deps.db.execute(`delete from balance b using kept k where ${same}`);
  await send(orders.map((order) => orderShipped(order, "a", 2)));
  await service.drain();
  const receipts = await service.receipts();
  expect(receipts.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(
    orders.map((_, n) => (n === 13 ? "new 1" : "done 0")),
  );
  expect(receipts[13]?.note).toContain("Error: ");
  expect(await one("select from order_posting where order_id = 'mixed-13'")).toBeUndefined();
  await service.deps.db.execute("insert into balance select * from kept");
  await service.deps.db.execute("update receipt set due_at = '-infinity'");
  await service.drain();
  expect((await service.receipts()).map(({ state }) => state)).toEqual(orders.map(() => "done"));
  expect(await Promise.all(orders.map((_, n) => balance(customerOf(n))))).toEqual(orders.map(() => 20));
});

test("events of one order are processed in the order in which they came, by however many workers", async () => {
  const orders = names("turns", 30);
  const { db } = service.deps;
  await service.owner.execute("create table turn (n bigint generated always as identity, subject text, uid uuid)");
  await service.owner.execute(
    `create function take_turn() returns trigger language plpgsql
     as 'begin insert into turn (subject, uid) values (new.subject, new.uid); return new; end'`,
  );
  await service.owner.execute("create trigger turns after update on receipt for each row execute function take_turn()");
  await send(
    orders.flatMap((order) => [
      orderPaid(order, `C-${order}`, 1),
      orderShipped(order, "a", 2),
      orderRefunded(order, "a", 3),
      orderShipped(order, "b", 4),
    ]),
  );
  await Promise.all(Array.from({ length: 3 }, () => processAllReceipts(service.deps)));
  await service.owner.execute("drop trigger turns on receipt");
  const turns = await db.query<{ subject: string; uid: string }>("select subject, uid from turn order by n");
  expect(turns).toHaveLength(30 * 4);
  for (const order of orders) {
    const uids = turns.filter(({ subject }) => subject === `order/${order}`).map(({ uid }) => uid);
    expect(uids).toEqual([...new Set(uids)].sort());
    expect(await balance(`C-${order}`)).toBe(35);
  }
});

test("two workers and requests for the same customers: no deadlock, every sum right", async () => {
  const customers = names("busy", 12);
  const orders = names("shared", 120);
  const ownerOf = (n: number) => customers[n % 12] ?? "";
  await send(customers.map((customer) => orderPaid(`first-${customer}`, customer, 0)));
  await service.drain();
  const deadlocks = () => one("select deadlocks from pg_stat_database where datname = current_database()");
  const before = await deadlocks();
  await send(orders.flatMap((order, n) => [orderPaid(order, ownerOf(n), 1), orderShipped(order, "a", 2)]));
  await send(orders.flatMap((order) => [orderRefunded(order, "a", 3), orderShipped(order, "b", 4)]));
  const award = async (customer: string) => {
    for (let n = 0; n < 20; n++) {
      const body = { customer_id: customer, point_value: 3 };
      expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
    }
  };
  await Promise.all([
    processAllReceipts(service.deps),
    processAllReceipts(service.deps),
    ...customers.toReversed().map(award),
  ]);
  expect((await service.receipts()).filter(({ state }) => state !== "done")).toEqual([]);
  expect(await deadlocks()).toEqual(before);
  expect(await Promise.all(customers.map(balance))).toEqual(customers.map(() => 10 * 35 + 20 * 3));
});

test("what waits for its order goes on in the set after it", async () => {
  const orders = names("late", 10);
  await send(orders.map((order) => orderShipped(order, "a", 2)));
  await service.drain();
  expect((await service.receipts()).map(({ state }) => state)).toEqual(orders.map(() => "waiting"));
  await send(orders.map((order) => orderPaid(order, `C-${order}`, 1)));
  await service.drain();
  expect((await service.receipts()).filter(({ state }) => state !== "done")).toEqual([]);
  expect(await Promise.all(orders.map((order) => balance(`C-${order}`)))).toEqual(orders.map(() => 20));
});
