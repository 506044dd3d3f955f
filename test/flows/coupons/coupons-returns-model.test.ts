import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import type { OrderEvent } from "../../../src/orders/facts/merge-facts.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, cancelled, line, refunded } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const UNITS = 3;
const RUNS = Number(process.env["MODEL_RUNS"] ?? 9);

let flow: OrderFlow;
let count = 0;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { expiration: { delay_months: 1, mode: "per_allotment" } } });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const days = fc.integer({ min: 1, max: 20 });
const long = fc.integer({ min: 10, max: 80 });
const points = fc.integer({ min: 1, max: 400 });
/** What may happen while the payment is void; an order that was paid is over only when it is cancelled. */
const between = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass" as const), days }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("refund" as const), units: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("give" as const), points, days: long }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("spend" as const), points }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hold" as const), points, days: long }) },
  { weight: 1, arbitrary: fc.constant({ kind: "release" as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: "merge" as const }) },
);
const end = fc.oneof(between, fc.constant({ kind: "cancel" as const }), fc.constant({ kind: "void" as const }));
const steps = fc
  .tuple(
    fc.boolean(),
    fc.array(between, { minLength: 2, maxLength: 6 }),
    fc.array(fc.oneof(end, fc.constant({ kind: "pay" as const })), { maxLength: 3 }),
  )
  .map(([isVoid, first, last]) => [
    ...(isVoid ? [{ kind: "void" as const }] : []),
    ...first,
    { kind: "pay" as const },
    ...last,
  ]);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;
const lot = fc.record({ points: fc.integer({ min: 100, max: 400 }), days });
const story = fc.record({
  lots: fc.array(lot, { minLength: 2, maxLength: 3 }),
  costs: fc.array(fc.integer({ min: 100, max: 300 }), { minLength: 1, maxLength: 2 }),
  steps,
});

interface Story {
  holder: string;
  readonly order: string;
  readonly coupons: readonly { readonly id: string; readonly code: string; readonly cost: number }[];
  readonly holds: string[];
  at: number;
  /** Events of an order that is not known yet wait for it, and are not stored here. */
  isKnown: boolean;
  refundedUnits: number;
  /** So far the balance had all that was to be taken again, and the order was to keep all of it. */
  isPlain: boolean;
}

async function post(path: string, wanted: object) {
  return (await flow.client.post(`/api/storefront/${path}`, wanted)).body.data;
}

const inDays = (n: number) => flow.clock.now().add({ hours: 24 * n });
const give = (customer_id: string, point_value: number, n: number) =>
  post("point_allotments", { customer_id, point_value, expires_at: inDays(n).toString() });

async function begin({
  lots,
  costs,
}: Pick<typeof story extends fc.Arbitrary<infer S> ? S : never, "lots" | "costs">): Promise<Story> {
  const holder = `m${++count}`;
  await flow.customer(holder);
  for (const each of lots) await give(holder, each.points, each.days);
  await give(holder, 1_000, 200);
  const coupons = [];
  for (const cost of costs) {
    const made = await post("coupons", { customer_id: holder, point_value: cost });
    if (made !== undefined) coupons.push({ id: made.id, code: made.code, cost });
  }
  return { holder, order: `mo${count}`, coupons, holds: [], at: 1, isKnown: false, refundedUnits: 0, isPlain: true };
}

function eventOf({ kind, ...more }: Step, { at, coupons }: Story): OrderEvent | null {
  if (kind === "cancel") return cancelled(at);
  if (kind === "refund" && "units" in more)
    return refunded(at, `r${at}`, { lines: [["a", more.units, 500]], moved: 500 });
  if (kind !== "void" && kind !== "pay") return null;
  const discounts = coupons.map(({ code, cost }) => [code, cost] as const);
  const stated = coupons.map(({ code, cost }) => ({
    code,
    amount: { minor: BigInt(cost), currency: "JPY" as const },
    type: "fixed_amount" as const,
  }));
  const payment = kind === "void" ? { paid: false, financialStatus: "voided" as const } : {};
  return body(at, [line("a", { price: 1_000, quantity: UNITS, discounts })], { coupons: stated, ...payment });
}

async function take(one: Step, told: Story): Promise<void> {
  told.at++;
  told.isKnown ||= one.kind === "void" || one.kind === "pay";
  const event = told.isKnown ? eventOf(one, told) : null;
  if (event !== null) {
    const cost = told.coupons.reduce((sum, coupon) => sum + coupon.cost, 0);
    const isEnough = one.kind === "void" || (one.kind === "pay" && (await flow.balance(told.holder)) >= cost);
    told.isPlain &&= isEnough;
    const before = await Promise.all(told.coupons.map(returnedOf));
    if (one.kind === "refund") told.refundedUnits = Math.min(UNITS, told.refundedUnits + one.units);
    const events = ofOrder(told.order, told.holder, [event]);
    await flow.take(...events);
    const after = await stateOf(told);
    await flow.take(...events);
    expect(await stateOf(told)).toEqual(after);
    await checkTaken(told, before, one.kind === "pay" && told.isPlain);
  } else if (one.kind === "pass") {
    flow.clock.advance({ hours: 24 * one.days });
    await flow.expire();
  } else if (one.kind === "give") await give(told.holder, one.points, one.days);
  else if (one.kind === "spend") await flow.give(told.holder, -one.points);
  else if (one.kind === "hold") {
    const held = await post("reservations", {
      customer_id: told.holder,
      point_value: one.points,
      ttl_seconds: one.days * 86_400,
    });
    if (held !== undefined) told.holds.push(held.id);
  } else if (one.kind === "release") await post(`reservations/${told.holds.pop()}/release`, {});
  else if (one.kind === "merge") {
    const into = `${told.holder}k`;
    await flow.customer(into);
    await mergeInto(flow.deps, told.holder, into);
    told.holder = into;
  }
}

async function stateOf({ holder, order }: Story) {
  return { balance: await flow.balance(holder), ledger: await flow.ledger(holder), order: await flow.order(order) };
}

// What came back of a coupon, without what was taken again, and how much of it has expired: of the lots that returns opened, and of the lots
// that merges carried over from them.
const RETURNED = `with recursive lots as (
  select a.customer_uid, a.version, a.point_value
  from allotment a
  where a.object = $1 and a.source_key not like 'api/%' and (a.source_key like 'coupon_return/%' or a.source_key like '%/use')
  union all
  select a.customer_uid, a.version, 0::bigint
  from lots l
  join allotment a on starts_with(a.source_key, 'merge/' || l.customer_uid || '/' || l.version || '/'))
select coalesce(sum(l.point_value), 0)::int as net,
  coalesce(sum((
    select sum(d.points)
    from draw d
    join allotment e on e.customer_uid = d.customer_uid and e.version = d.by_version and e.type = 'expiration'
    where d.customer_uid = l.customer_uid and d.lot_version = l.version)), 0)::int as gone
from lots l`;

async function returnedOf({ id }: { readonly id: string }): Promise<{ net: number; gone: number }> {
  const [row] = await flow.deps.db.query<{ net: number; gone: number }>(RETURNED, [`coupon-${id}`]);
  return row ?? { net: 0, gone: 0 };
}

/** Points come back at most once. What an event took again leaves what expired and the share of the refunded units; `isAll`: and no more than what expired. */
async function checkTaken({ coupons, refundedUnits }: Story, before: readonly { net: number }[], isAll: boolean) {
  await expirePoints(flow.deps);
  for (const [i, coupon] of coupons.entries()) {
    const { net, gone } = await returnedOf(coupon);
    expect(net).toBeLessThanOrEqual(coupon.cost);
    expect(net).toBeGreaterThanOrEqual(gone);
    if (isAll) expect(net).toBe(gone);
    const share = Math.floor((coupon.cost * refundedUnits) / UNITS);
    if (net < (before[i]?.net ?? 0)) expect(net).toBeGreaterThanOrEqual(Math.min(gone + share, coupon.cost));
  }
}

test(`whatever happens to an order, a coupon's points come back once, and no others are taken for expired ones`, async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ steps, ...rest }) => {
      const told = await begin(rest);
      for (const one of steps) await take(one, told);
    }),
    { numRuns: RUNS },
  );
});
