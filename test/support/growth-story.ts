import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import type { Deps } from "../../src/deps.ts";
import { aggregateCustomerPoints } from "../../src/growth/aggregate-customer-points.ts";
import { aggregateGrowth } from "../../src/growth/aggregate-growth.ts";
import { selectGrowthProgress } from "../../src/growth/growth-queries.ts";
import { applyCustomer } from "../../src/intake/apply-customer.ts";
import { applyOrderEvent } from "../../src/orders/apply-order-event.ts";
import { aggregateSales } from "../../src/sales/aggregate-sales.ts";
import { body, line, money, shipped } from "./order-events.ts";
import { ofOrder } from "./order-flow.ts";
import type { TestService } from "./service.ts";
import { waitUntil } from "./wait-until.ts";

const rule = (name: string, requirement: number) => ({ name, currency_spent_requirement: requirement });

/** A yen store in Tokyo with two tiers and a reward for signing up. */
export const GROWTH_PROGRAM = {
  store: { name: "Tea", currency: "JPY", time_zone: "Asia/Tokyo" },
  tiers: { rules: [rule("Regular", 0), rule("Gold", 50_000)] },
  rewards: { signup: 50 },
};

/**
 * Ann, Bob and Eve join in January; Eve is deleted in February. Cat and Dan join in February. Ann orders twice within ten days in January and never
 * again, Bob once, Cat twice in February, a guest once. Ann is Gold from January until she is demoted in February, when Cat is promoted. Ann's second
 * order uses a coupon of 10 points. Bob takes one of 100 and never uses it, and one of 20, which is cancelled.
 */
export async function buildGrowthStory({ deps, client, clock }: TestService): Promise<void> {
  const join = (id: string) => {
    const at = clock.now();
    const payload = { customerId: id, email: `${id}@shop.example`, createdAt: at };
    const event = {
      type: "CustomerUpserted",
      platform: "test",
      subject: `customer/${id}`,
      factKey: id,
      payload,
    } as const;
    return deps.db.tx((tx) =>
      applyCustomer(tx, deps, { ...event, occurredAt: at, receivedAt: at, sourceTopic: "", test: false }),
    );
  };
  const coupon = async (id: string, points: number) =>
    (await client.post("/api/storefront/coupons", { customer_id: id, point_value: points })).body.data;
  const place = (id: string, tier: string) => client.post(`/api/storefront/point_balances/${id}/tiers`, { tier });
  const order = async (id: string, customer: string | null, price: number, code?: string) => {
    const discounts = code === undefined ? [] : [[code, 10] as const];
    const coupons = discounts.map(([used, amount]) => ({ code: used, amount: money(amount), type: "fixed" as const }));
    const lines = [line("a", { price: code === undefined ? price : price + 10, discounts })];
    const events = [body(1, lines, { processedAt: clock.now(), coupons }), shipped(2, "f", { a: 1 })];
    for (const event of ofOrder(id, customer, events)) await deps.db.tx((tx) => applyOrderEvent(tx, deps, event));
  };
  clock.set("2026-01-10T00:00:00Z");
  for (const id of ["ann", "bob", "eve"]) await join(id);
  await order("a1", "ann", 1_000);
  clock.set("2026-01-12T00:00:00Z");
  await order("b1", "bob", 2_000);
  for (const points of [200, -50])
    await client.post("/api/storefront/point_allotments", { customer_id: "bob", point_value: points });
  await place("ann", "Gold");
  const { code } = await coupon("ann", 10);
  await coupon("bob", 100);
  await client.delete(`/api/storefront/coupons/${(await coupon("bob", 20)).code}`);
  clock.set("2026-01-20T00:00:00Z");
  await order("a2", "ann", 3_000, code); // lapses 15 days later
  clock.set("2026-01-31T15:00:00Z"); // the first of February in Tokyo
  for (const id of ["cat", "dan"]) await join(id);
  await order("c1", "cat", 4_000);
  clock.set("2026-02-20T00:00:00Z");
  await order("c2", "cat", 5_000);
  await order("g1", null, 3_000);
  await place("ann", "Regular");
  await place("cat", "Gold");
  await deps.db.tx((tx) => deleteCustomer(tx, deps, "eve", "test"));
  clock.set("2026-03-01T00:00:00Z");
  await aggregateGrowthAll(deps);
}

const NEWEST = `select max(allotted_at) as "newestAt" from allotment`;

/** Counts until everything that was written is included: transactions of other databases of the server can delay the settled mark. */
export async function aggregateGrowthAll(deps: Deps): Promise<void> {
  while (!(await aggregateSales(deps)));
  while (!(await aggregateGrowth(deps)));
  await waitUntil(async () => {
    const isDone = await aggregateCustomerPoints(deps);
    const [row] = await deps.db.query<{ newestAt: Temporal.Instant | null }>(NEWEST);
    const newestAt = row?.newestAt ?? null;
    const { allottedAt } = await selectGrowthProgress(deps.db);
    return (
      isDone && (newestAt === null || (allottedAt !== null && Temporal.Instant.compare(allottedAt, newestAt) >= 0))
    );
  });
}
