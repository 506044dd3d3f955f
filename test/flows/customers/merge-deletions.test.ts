import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import type { Tx } from "../../../src/db/pool.ts";
import type { CustomerRef } from "../../../src/ledger/customer-ref.ts";
import { applyOrderEvent } from "../../../src/orders/apply-order-event.ts";
import { awardPendingOrders } from "../../../src/orders/award-pending-orders.ts";
import type { OrderEvent } from "../../../src/orders/facts/merge-facts.ts";
import { lockOrder } from "../../../src/orders/order-queries.ts";
import { finishDiscountCreation } from "../../../src/platform-sync/finish-discount-creation.ts";
import { listWaiting, queueBehind } from "../../support/behind.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, cancelled, line, minute, shipped } from "../../support/order-events.ts";
import { ofOrder } from "../../support/order-flow.ts";
import { type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";
import { waitUntil } from "../../support/wait-until.ts";

const API = "/api/storefront";

let flow: PlatformFlow;
const failures: string[] = [];
beforeAll(async () => {
  flow = await startPlatformFlow({ log: (text) => void failures.push(text) });
});
beforeEach(() => {
  flow.platform.fate = () => "done";
});
afterAll(async () => {
  expect(failures).toEqual([]);
  expect(flow.platform.faults).toEqual([]);
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const merge = (removedId: string, keptId: string) => mergeInto(flow.deps, removedId, keptId);
const reserve = async (id: string, points: number): Promise<string> => {
  const wanted = { customer_id: id, point_value: points, ttl_seconds: 600 };
  return (await flow.client.post(`${API}/reservations`, wanted)).body.data.id;
};
const sale = (id: string, orderId: string) =>
  flow.take(...ofOrder(orderId, id, [body(1, [line("a", { price: 700 })]), shipped(2, "f1", { a: 1 })]));

/** What the balance holds that an id leads to, deleted or not. */
async function stored(id: string) {
  const [row] = await flow.deps.db.query<{ points: bigint; held: bigint }>(
    `select b.ledger_points as points,
  b.held_points as held
from balance b
join customer_alias a on a.bucket = b.bucket and a.customer_uid = b.customer_uid
where a.storefront_id = $1`,
    [id],
  );
  return row;
}

const FIND = `select bucket,
  customer_uid as "customerUid"
from customer_alias
where storefront_id = $1`;

/** Two statements: a Citus locks the row of a customer whom it is told. */
async function lockBalance(tx: Tx, id: string, nowait = ""): Promise<void> {
  const [ref] = await tx.query<CustomerRef>(FIND, [id]);
  if (ref === undefined) throw new Error(`${id} is nobody`);
  const lock = `select 1 from balance where bucket = $1 and customer_uid = $2 for update ${nowait}`;
  await tx.query(lock, [ref.bucket, ref.customerUid]);
}

const NOTHING = { points: 0n, held: 0n };

test.each(["before", "after"])("the survivor's deletion %s the merge leaves nothing to anybody", async (when) => {
  const [kept, removed] = [await flow.shopper(), await flow.shopper()];
  const coupon = await flow.coupon(removed, 50);
  const reservation = await reserve(removed, 20);
  await sale(removed, `o-${removed}`);
  if (when === "before") await flow.remove(kept);
  await merge(removed, kept);
  if (when === "after") await flow.remove(kept);
  expect(await stored(removed)).toEqual(NOTHING);
  expect((await flow.client.post(`${API}/reservations/${reservation}/capture`, {})).status).toBe(409);
  expect((await flow.client.delete(`${API}/coupons/${coupon.code}`)).body.data.points_reimbursed).toBe(0);
  await sale(removed, `p-${removed}`);
  await flow.take(...ofOrder(`o-${removed}`, removed, [cancelled(9)]));
  expect(await stored(kept)).toEqual(NOTHING);
});

test("the deletion of whom was merged, with points, orders and coupons in between, takes nothing from the survivor", async () => {
  const [kept, removed] = [await flow.shopper(), await flow.shopper()];
  const coupon = await flow.coupon(removed, 50);
  await flow.remove(removed);
  await sale(removed, `o-${removed}`);
  expect(await stored(removed)).toEqual(NOTHING);
  await merge(removed, kept);
  expect(await flow.balance(kept)).toBe(1_950);
  expect(await awardPendingOrders(flow.deps)).toBe(1); // points without a recipient are the survivor's
  expect(await flow.balance(kept)).toBe(1_957);
  await flow.client.delete(`${API}/coupons/${coupon.code}`);
  expect(await flow.balance(kept)).toBe(2_007);
  await flow.take(...ofOrder(`o-${removed}`, removed, [cancelled(9)]));
  await flow.remove(removed);
  expect(await flow.balance(kept)).toBe(2_000);
});

describe("an order that moved to somebody else while its customer was deleted", () => {
  const moved = (order: string, to: string) => flow.take(...ofOrder(order, to, [body(5, [line("a", { price: 700 })])]));

  test.each([
    ["is the survivor", 0],
    ["is not", 0],
    ["is the survivor", 4],
    ["is not", 4],
  ])("counts once when the merge undoes the deletion: that %s, and %i of its points were spent", async (who, spent) => {
    const [kept, removed, other] = [await flow.shopper(), await flow.shopper(), await flow.shopper()];
    const buyer = who === "is the survivor" ? kept : other;
    await sale(removed, `o-${removed}`);
    if (spent > 0) await flow.give(removed, -1_000 - spent);
    await flow.remove(removed);
    await moved(`o-${removed}`, buyer);
    expect(await flow.balance(buyer)).toBe(1_007 - spent);
    await merge(removed, kept);
    expect(await awardPendingOrders(flow.deps)).toBe(1);
    const left = spent > 0 ? 0 : 1_000;
    expect(await flow.balance(kept)).toBe(1_000 + left + (buyer === kept ? 7 - spent : 0));
    expect(await flow.balance(other)).toBe(buyer === other ? 1_007 - spent : 1_000);
    expect(await flow.order(`o-${removed}`)).toMatchObject({ awardable_points: 7, points_awarded: 7 });
  });

  test("counts once when the merge undoes the deletion while the order moves on from another deleted customer", async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => flow.shopper()));
    const [kept, removed, between, buyer] = ids as [string, string, string, string]; // cast: four shoppers
    const order = `o-${removed}`;
    await sale(removed, order);
    for (const id of [removed, between]) await flow.remove(id);
    await moved(order, between); // who gets nothing: the order is not the first one's any more
    const asked: Promise<unknown>[] = [];
    let isMerged = false;
    await flow.deps.db.tx(async (tx) => {
      await lockBalance(tx, buyer);
      asked.push(moved(order, buyer));
      await waitUntil(async () => (await listWaiting(flow.deps.db)).length > 0);
      asked.push(merge(removed, kept).finally(() => (isMerged = true)));
      await waitUntil(async () => isMerged || (await listWaiting(flow.deps.db)).length > 1);
    });
    await Promise.all(asked);
    await awardPendingOrders(flow.deps);
    expect([await flow.balance(kept), await flow.balance(buyer)]).toEqual([2_000, 1_007]);
  });

  test("locks the holder of a coupon that comes back together with the others, in the order of their keys", async () => {
    const { db } = flow.deps;
    const removed = await flow.shopper();
    const shard = (await db.isDistributed()) ? "get_shard_id_for_distribution_column('balance', bucket)," : ""; // a Citus locks shard by shard
    const others = await db.query<{ id: string }>(
      `select storefront_id as id
      from customer_alias
      where storefront_id = any($1)
      order by ${shard} bucket, customer_uid`,
      [[await flow.shopper(), await flow.shopper()]],
    );
    const [holder, buyer] = others.map(({ id }) => id) as [string, string]; // cast: both are known
    const { code } = await flow.coupon(holder, 30);
    const lines = [line("a", { price: 700, discounts: [[code, 30]] })];
    const coupons = [{ code, amount: { minor: 30n, currency: "JPY" }, type: "fixed_amount" }];
    const stated = (id: string, event: OrderEvent) => flow.take(...ofOrder(`o-${removed}`, id, [event]));
    await stated(removed, body(1, lines, { coupons }));
    await stated(removed, shipped(2, "f1", { a: 1 }));
    await flow.remove(removed);
    const asked: Promise<unknown>[] = [];
    await db.tx(async (tx) => {
      await lockBalance(tx, holder);
      asked.push(stated(buyer, body(5, lines, { coupons, cancelledAt: minute(5) })));
      await waitUntil(async () => (await listWaiting(db)).length > 0);
      await lockBalance(tx, buyer, "nowait"); // whoever waits for the first has not locked the second
    });
    await Promise.all(asked);
    expect([await flow.balance(holder), await flow.balance(buyer)]).toEqual([1_000, 1_000]);
  });

  test("keeps its points while the survivor is deleted too, and counts once when that one is merged", async () => {
    const [kept, removed, buyer, last] = [
      await flow.shopper(),
      await flow.shopper(),
      await flow.shopper(),
      await flow.shopper(),
    ];
    await sale(removed, `o-${removed}`);
    await flow.remove(removed);
    await moved(`o-${removed}`, buyer);
    await flow.remove(kept);
    await merge(removed, kept);
    await awardPendingOrders(flow.deps);
    expect([await stored(kept), await flow.balance(buyer)]).toEqual([NOTHING, 1_007]);
    await merge(kept, last);
    await awardPendingOrders(flow.deps);
    expect([await flow.balance(last), await flow.balance(buyer)]).toEqual([3_000, 1_007]);
  });
});

describe("an order that is shipped while its customer is deleted and merged earns for the survivor", () => {
  let [kept, removed, order] = ["", "", ""];
  beforeEach(async () => {
    [kept, removed] = [await flow.shopper(), await flow.shopper()];
    order = `o-${removed}`;
    await flow.take(...ofOrder(order, removed, [body(1, [line("a", { price: 700 })])]));
  });
  const remove = (tx: Tx) => deleteCustomer(tx, flow.deps, removed, "test");
  const shipment = () => ofOrder(order, removed, [shipped(2, "f1", { a: 1 })]);

  test("if the deletion kept it from its points, and the merge had looked before both", async () => {
    const { db } = flow.deps;
    const asked: Promise<unknown>[] = [];
    await db.tx(async (tx) => {
      await lockOrder(tx, order);
      asked.push(merge(removed, kept));
      await waitUntil(async () => (await listWaiting(db)).length > 0);
      await remove(tx);
      for (const event of shipment()) await applyOrderEvent(tx, flow.deps, event);
    });
    await Promise.all(asked);
    expect(await flow.balance(kept)).toBe(2_000);
    expect(await awardPendingOrders(flow.deps)).toBe(1);
    expect(await flow.balance(kept)).toBe(2_007);
  });

  test("if both wait for the deletion and start over, whichever is first", async () => {
    await queueBehind(flow.deps.db, remove, [() => flow.take(...shipment()), () => merge(removed, kept)]);
    await awardPendingOrders(flow.deps); // if the order was first, it is due again; otherwise the survivor has its points
    expect(await flow.balance(kept)).toBe(2_007);
    expect(await flow.order(order)).toMatchObject({ awardable_points: 7, points_awarded: 7 });
    expect(await awardPendingOrders(flow.deps)).toBe(0);
  });
});

test("a reservation that ended before its customer was merged is ended for good", async () => {
  const [kept, removed] = [await flow.shopper(), await flow.shopper()];
  const [captured, over] = [await reserve(removed, 20), await reserve(removed, 30)];
  const end = (uid: string, how: string) => flow.client.post(`${API}/reservations/${uid}/${how}`, {});
  expect((await end(captured, "capture")).status).toBe(200);
  flow.clock.advance({ seconds: 600 });
  await merge(removed, kept);
  for (const uid of [captured, over]) {
    for (const how of ["capture", "release"]) expect((await end(uid, how)).status).toBe(409);
  }
  expect(await flow.balance(kept)).toBe(1_980);
});

test.each([[0], [1], [2]])("in a chain, a deletion told before its merge is undone by it (%i)", async (at) => {
  const ids = [await flow.shopper(), await flow.shopper(), await flow.shopper()] as const;
  const [a, b, c] = ids;
  const steps = [() => flow.remove(a), () => merge(a, b), () => flow.remove(b), () => merge(b, c)];
  const kept = steps.filter((_, n) => n % 2 === 1 || n / 2 === at || at === 2);
  for (const step of kept) await step();
  for (const id of ids) expect(await flow.balance(id)).toBe(3_000);
});

test.each(["lives", "is gone"])(
  "a coupon on its way while its customer is merged into somebody deleted is settled: its code %s",
  async (fate) => {
    const [kept, removed] = [await flow.shopper(), await flow.shopper()];
    const creation = await flow.begin(100n, removed);
    const made = await flow.create(creation);
    if (made.kind !== "live") throw new Error(made.kind);
    await flow.remove(kept);
    await merge(removed, kept);
    expect(await stored(removed)).toEqual({ points: 100n, held: 100n });
    if (fate === "lives") await flow.deps.db.tx((tx) => finishDiscountCreation(tx, flow.deps, creation, made.ref));
    else await flow.settle();
    expect([await flow.pending(), await stored(removed)]).toEqual([fate === "lives" ? 0 : 1, NOTHING]);
    await flow.settle();
    expect(await flow.pending()).toBe(0);
  },
);

test("a deletion with a coupon on its way is undone by the merge, all of it", async () => {
  for (const isSettled of [true, false]) {
    const [kept, removed] = [await flow.shopper(), await flow.shopper()];
    await flow.begin(100n, removed);
    await flow.remove(removed);
    expect(await stored(removed)).toEqual({ points: 100n, held: 100n });
    if (isSettled) await flow.settle();
    await merge(removed, kept);
    expect(await flow.balance(kept)).toBe(isSettled ? 2_000 : 1_900);
    expect((await flow.ledger(kept)).at(-1)).toEqual(["manual", 1_000]); // of one lot, which was taken in two steps
    await flow.settle();
    expect(await stored(kept)).toEqual({ points: 2_000n, held: 0n });
  }
});
