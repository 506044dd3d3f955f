import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import { endHold } from "../../../src/ledger/holds/end-hold.ts";
import { finishDiscountCreation } from "../../../src/platform-sync/finish-discount-creation.ts";
import { createSubscription } from "../../../src/webhooks/subscriptions/create-subscription.ts";
import { deleteSubscription } from "../../../src/webhooks/subscriptions/delete-subscription.ts";
import { behind } from "../../support/behind.ts";
import { type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";

const RESERVATIONS = "/api/storefront/reservations";
const ENDS = [
  ["captured whole", "capture", {}],
  ["captured in part", "capture", { point_value: 30 }],
  ["released", "release", {}],
] as const;

let flow: PlatformFlow;
const failures: string[] = [];
beforeAll(async () => {
  flow = await startPlatformFlow({
    log: (text) => void failures.push(text),
    program: { expiration: { delay_months: 1 } },
  });
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

const end = (uid: string, how: string, fields: object) => flow.client.post(`${RESERVATIONS}/${uid}/${how}`, fields);

async function reserve(id: string): Promise<string> {
  return (await flow.client.post(RESERVATIONS, { customer_id: id, point_value: 100, ttl_seconds: 600 })).body.data.id;
}

const STORED = `select b.ledger_points as points,
  b.held_points as held,
  (
    select jsonb_agg(jsonb_build_array(a.type, a.point_value) order by a.version)
    from allotment a
    where a.bucket = b.bucket
      and a.customer_uid = b.customer_uid) as ledger
from balance b
join customer_alias i on i.bucket = b.bucket and i.customer_uid = b.customer_uid
where i.storefront_id = $1`;

/** That a deleted customer has nothing, and by which allotments after the first 1,000 points. */
async function expectClosed(
  id: string,
  ...ledger: readonly (readonly [type: string, points: number])[]
): Promise<void> {
  const rows = await flow.deps.db.query(STORED, [id]);
  expect(rows).toEqual([{ points: 0n, held: 0n, ledger: [["api", 1_000], ...ledger] }]);
}

describe("a reservation", () => {
  test.each(ENDS)("of a deleted customer is %s by nobody", async (_name, how, fields) => {
    const id = await flow.shopper();
    const uid = await reserve(id);
    await flow.remove(id);
    expect((await end(uid, how, fields)).status).toBe(409);
    await expectClosed(id, ["deletion", -1_000]);
  });

  test.each(ENDS)("that is %s while its customer is deleted is ended by the deletion", async (_name, how, fields) => {
    const id = await flow.shopper();
    const uid = await reserve(id);
    const remove = () =>
      behind(
        flow.deps.db,
        (tx) => deleteCustomer(tx, flow.deps, id, "test"),
        () => end(uid, how, fields),
      );
    expect((await remove()).status).toBe(409);
    await expectClosed(id, ["deletion", -1_000]);
  });

  test("that was captured in part before leaves its rest to the deletion", async () => {
    const id = await flow.shopper();
    expect((await end(await reserve(id), "capture", { point_value: 30 })).status).toBe(200);
    await flow.remove(id);
    await expectClosed(id, ["api", -30], ["deletion", -970]);
  });
});

describe("the points that a coupon on its way keeps", () => {
  test.each([0, 90])("are written off where its code is not made, %i days after the deletion", async (days) => {
    const id = await flow.shopper();
    await flow.begin(100n, id);
    await flow.remove(id);
    flow.clock.advance({ hours: 24 * days });
    await flow.settle();
    await expectClosed(id, ["deletion", -900], ["deletion", -100]);
    await flow.settle();
    expect(await flow.pending()).toBe(0);
  });

  test("publish one update when they are written off, of a balance of nothing", async () => {
    const id = await flow.shopper();
    await flow.begin(100n, id);
    await flow.remove(id);
    flow.clock.advance({ hours: 24 * 90 });
    const subscription = { topic: "point_balance/update", callbackUrl: "https://hooks.example.com/points" } as const;
    await flow.deps.db.tx((tx) => createSubscription(tx, flow.deps, subscription));
    await flow.settle();
    const told = await flow.deps.db.query<{ payload: string }>("select payload from outbox_event");
    expect(told.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { customer: { storefront_id: Number(id) }, balance: 0 },
    ]);
    await flow.deps.db.tx((tx) => deleteSubscription(tx, flow.deps, subscription.topic));
  });

  test.each([0, 90])(
    "are the coupon's where its code was made, and come back to nobody, %i days after",
    async (days) => {
      const id = await flow.shopper();
      const creation = await flow.begin(100n, id);
      await flow.remove(id);
      flow.clock.advance({ hours: 24 * days });
      const ref = `gid://shopify/DiscountCodeNode/${id}`;
      const coupon = await flow.deps.db.tx((tx) => finishDiscountCreation(tx, flow.deps, creation, ref));
      await expectClosed(id, ["deletion", -900], ["api", -100]);
      const { body } = await flow.client.delete(`/api/storefront/coupons/${coupon?.code}`);
      expect(body.data.points_reimbursed).toBe(0);
      await expectClosed(id, ["deletion", -900], ["api", -100]);
    },
  );

  test.each([0, 90])("leave nothing where only some are taken, %i days after", async (days) => {
    const id = await flow.shopper();
    const { holdUid: uid } = await flow.begin(100n, id);
    await flow.remove(id);
    flow.clock.advance({ hours: 24 * days });
    const capture = { points: 30n, appReference: "test" };
    await flow.deps.db.tx((tx) => endHold(tx, flow.deps, { uid, capture }));
    await expectClosed(id, ["deletion", -900], ["api", -30], ["deletion", -70]);
    await flow.deps.db.execute("delete from coupon_creation");
  });

  test.each(ENDS)("are no reservation that is %s, be the customer deleted or not", async (_name, how, fields) => {
    const id = await flow.shopper();
    const { holdUid: uid } = await flow.begin(100n, id);
    for (const isDeleted of [false, true]) {
      if (isDeleted) await flow.remove(id);
      expect((await flow.client.get(`${RESERVATIONS}/${uid}`)).status).toBe(404);
      expect((await end(uid, how, fields)).status).toBe(404);
      expect(await flow.held(id)).toBe(100n);
    }
    await flow.settle();
    await expectClosed(id, ["deletion", -900], ["deletion", -100]);
  });
});
