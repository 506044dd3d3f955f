import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDice } from "../../../demo/season/dice.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { aggregateLiability } from "../../../src/liability/aggregate-liability.ts";
import { aggregateLiabilityAll } from "../../support/aggregate-liability-all.ts";
import { countLiability } from "../../support/count-liability.ts";
import { mergeInto } from "../../support/customers.ts";
import { refunded } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { sale } from "../../support/order-sale.ts";
import { waitUntil } from "../../support/wait-until.ts";

const ZONE = "Asia/Tokyo";
const CUSTOMERS = 14;
const ROUNDS = 90;
const PLAIN = ["reward", "csv", "manual", "flow"] as const;
const ORIGINS = ["promotion", "compensation", "migration", "purchase", "sale", null] as const;

const IS_COUNTED = `select allotted_at >= (select max(allotted_at) from allotment) as "isCounted" from liability_book`;

const dice = createDice(20_261_101);
let flow: OrderFlow;
let orders = 0;
const codes: string[] = [];
const there = Array.from({ length: CUSTOMERS }, (_, n) => `c${n}`);

beforeAll(async () => {
  flow = await startOrderFlow({
    now: "2026-03-01T00:00:00Z",
    program: { expiration: { delay_months: 1, mode: "per_allotment" }, coupons: { lifetime_hours: 48 } },
  });
  for (const id of there) await flow.customer(id);
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** Points of any plain type and origin, now and then earned weeks before. */
async function post(id: string): Promise<void> {
  const { deps } = flow;
  const pointValue = BigInt(1 + dice.below(300)) * (dice.chance(0.75) ? 1n : -1n);
  const change = { kind: "add", pointValue, shortfall: "cap" } as const;
  const earnedAt = dice.chance(0.3) ? deps.clock.now().subtract({ hours: 24 * dice.below(28) }) : null;
  const plain = plainPosting(deps.random.uid(), dice.pick(PLAIN), "test", change);
  const posting = { ...plain, origin: dice.pick(ORIGINS), earnedAt: pointValue > 0n ? earnedAt : null };
  await deps.db.tx(async (tx) => {
    const [customer] = await tx.query<{ bucket: number; customerUid: string }>(
      `select bucket, customer_uid as "customerUid" from customer_alias where storefront_id = $1`,
      [id],
    );
    if (customer !== undefined) await postAllotments(tx, deps, [{ customer, posting }]);
  });
}

async function order(id: string): Promise<void> {
  const name = `o${++orders}`;
  await flow.take(...sale(name, id, 1_000 + dice.below(50_000)));
  if (dice.chance(0.3))
    await flow.take(...ofOrder(name, id, [refunded(3, "r", { lines: [["a", 1, 500]], moved: 500 })]));
}

async function coupon(id: string): Promise<void> {
  const { status, body } = await flow.client.post("/api/storefront/coupons", {
    customer_id: id,
    point_value: 1 + dice.below(200),
  });
  if (status === 200) codes.push(body.data.code);
}

async function endCoupon(): Promise<void> {
  const code = codes.pop();
  if (code !== undefined) await flow.client.delete(`/api/storefront/coupons/${code}`);
}

async function mergeOrDelete(): Promise<void> {
  if (there.length < 6) return;
  const [gone = ""] = there.splice(dice.below(there.length), 1);
  if (dice.chance(0.6)) await mergeInto(flow.deps, gone, dice.pick(there));
  else await flow.remove(gone);
}

async function act(): Promise<void> {
  const id = dice.pick(there);
  const roll = dice.below(100);
  if (roll < 35) await post(id);
  else if (roll < 60) await order(id);
  else if (roll < 80) await coupon(id);
  else if (roll < 92) await endCoupon();
  else if (roll < 94) await mergeOrDelete();
  else await flow.expire();
}

describe("the liability of a random history of four months", () => {
  test("is the ledger's own movements, by month, month of issue, origin and kind", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 0; n < 4; n++) await act();
      await Promise.all([
        aggregateLiability(flow.deps, { size: 7, steps: 2 }),
        aggregateLiability(flow.deps, { size: 7, steps: 2 }),
      ]);
      flow.clock.advance({ hours: 16 + dice.below(40) });
    }
    await flow.expire();
    await aggregateLiabilityAll(flow);
    const { counted, expected, owed, lots } = await countLiability(flow.deps.db, ZONE);
    expect(counted).toEqual(expected);
    expect(owed).toEqual(lots);
    const ofNoOrder = expected.filter(({ unpriced }) => unpriced > 0n);
    expect(ofNoOrder.some(({ points, unpriced }) => unpriced < points)).toBe(true);
    expect(ofNoOrder.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["issued", "returned", "moved_in", "redeemed", "expired"]),
    );
    const kinds = new Set(expected.map(({ kind }) => kind));
    for (const kind of [
      "issued",
      "returned",
      "redeemed",
      "expired",
      "taken_back",
      "corrected",
      "forfeited",
      "moved_in",
    ]) {
      expect(kinds).toContain(kind);
    }
  });

  test("of a store of an earlier version is told apart in steps, while more is counted", async () => {
    const { deps, owner } = flow;
    await owner.execute("update liability_sum set unpriced = 0");
    await owner.execute(`update liability_book
      set unpriced_zone = '', unpriced_at = '-infinity', unpriced_uid = '00000000-0000-0000-0000-000000000000'`);
    await post(dice.pick(there));
    flow.clock.advance({ seconds: 1 });
    // the database refuses to separate the points: new ones are counted all the same
    await owner.execute("alter table liability_book add constraint untold check (unpriced_zone = '')");
    await waitUntil(async () => {
      await expect(aggregateLiability(deps)).rejects.toThrow("untold");
      const [row] = await deps.db.query<{ isCounted: boolean }>(IS_COUNTED);
      return row?.isCounted === true;
    });
    await owner.execute("alter table liability_book drop constraint untold");
    await aggregateLiability(deps, { size: 100, steps: 1 });
    await aggregateLiabilityAll(flow);
    const { counted, expected } = await countLiability(deps.db, ZONE);
    expect(counted).toEqual(expected);
  });

  test("is counted again by the months of another time zone, as long as no month is closed", async () => {
    await flow.program({ store: { name: "Tea", currency: "JPY", time_zone: "America/Los_Angeles" } });
    await aggregateLiabilityAll(flow);
    const { counted, expected } = await countLiability(flow.deps.db, "America/Los_Angeles");
    expect(counted).toEqual(expected);
  });
});
