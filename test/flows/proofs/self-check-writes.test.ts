import { afterAll, beforeAll, expect, test } from "vitest";
import { readSelfCheck } from "../../../src/checkpoints/self-check-queries.ts";
import { checkNext } from "../../support/check-next.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, cancelled, line, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { signIn } from "../../support/staff.ts";

const API = "/api/storefront";
const TIERS = { rules: [{ name: "Basic" }, { name: "Gold", currency_spent_requirement: 500 }] };
const ROUNDS = 8;
const PASSES_MIN = 3n;

let flow: OrderFlow;
const logged: string[] = [];
beforeAll(async () => {
  const log = (text: string) => void logged.push(text);
  flow = await startOrderFlow({ logLevel: "error", log, program: { tiers: TIERS, refunds: { shortfall: "owe" } } });
  await signIn(flow, "support");
});
afterAll(() => flow.stop());

/** An order that is paid, shipped, refunded in part or cancelled, with a coupon; its customer is merged into another or deleted. */
async function tradeWith(id: string, round: number): Promise<void> {
  await flow.customer(id);
  await flow.give(id, 1_000);
  const { code } = await flow.coupon(id, 100);
  const lines = [line("a", { price: 1_000, discounts: [[code, 100]] }), line("b", { price: 2_000 })];
  const coupons = [{ code, amount: { minor: 100n, currency: "JPY" }, type: "fixed_amount" as const }];
  await flow.take(...ofOrder(id, id, [body(1, lines, { coupons }), shipped(2, "f1", { a: 1, b: 1 })]));
  await flow.give(id, -(await flow.balance(id))); // so that what the order takes back is owed
  await flow.take(
    ...ofOrder(id, id, [
      round % 2 === 0 ? refunded(3, "r1", { lines: [["b", 1, 2_000]], moved: 2_000 }) : cancelled(3),
    ]),
  );
  await flow.give(id, 5);
}

async function endCustomer(id: string, round: number): Promise<void> {
  if (round % 3 === 0) await mergeInto(flow.deps, id, `into-${id}`);
  if (round % 3 === 1) await flow.remove(id);
  if (round % 3 === 2) await flow.client.post(`${API}/point_balances/${id}/tiers`, { tier: "Gold" });
}

async function trade(writer: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const id = `w${writer}-${round}`;
    await flow.customer(`into-${id}`);
    await tradeWith(id, round);
    await endCustomer(id, round);
  }
}

async function changeSettings(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await flow.program({ coupons: { point_worth: 2 + (round % 5) } });
    const callback_url = `http://127.0.0.1:9/${round}`;
    await flow.client.post(`${API}/webhooks`, { topic: "point_balance/update", callback_url });
    await flow.owner.execute("update staff set name = $1", [`person ${round}`]);
  }
}

test("writes in flight are never a breach: whole passes beside orders, coupons, debts, tiers, merges, deletions and settings", async () => {
  const db = flow.owner;
  let isWriting = true;
  const writes = Promise.all([trade(1), trade(2), trade(3), changeSettings()]).finally(() => {
    isWriting = false;
  });
  while (isWriting || (await readSelfCheck(db)).passes < PASSES_MIN) {
    await db.execute("update self_check set checked_at = null");
    await checkNext(flow.deps);
  }
  await writes;
  expect(logged).toEqual([]); // a breach is logged when it is found
  expect(await readSelfCheck(db)).toMatchObject({ breaches: [] });
  const [written] = await db.query<{ debts: bigint; tiers: bigint; versions: bigint }>(`select
  (select count(*) from order_posting where outcome = 'owed') as debts,
  (select count(*) from tier_change) as tiers,
  (select count(*) from program_version) as versions`);
  expect(Object.values(written ?? {}).every((count) => count > ROUNDS / 2)).toBe(true);
});
