import { addQuantities } from "../../platforms/quantity.ts";
import { processedAt, type StoredFacts } from "../facts/order-facts.ts";
import type { LineRemains } from "../facts/refund-base.ts";
import { unnamedDeliveries } from "../facts/unnamed-deliveries.ts";
import { unitsByLine } from "./award-split.ts";
import type { LineDraft } from "./earning-draft.ts";
import { round, sum } from "./fraction.ts";
import type { OrderRules } from "./order-rules.ts";
import { baseLeft, draftLines } from "./order-target.ts";

/** What an order counts toward its customer's tier: minor units of the store's currency, at one time. */
export interface TierSpend {
  readonly minor: bigint;
  readonly creditedAt: Temporal.Instant;
}

/** What was paid for an order's goods. */
export interface OrderPrice {
  /** The earning base before product exclusions, less refunds (program.md 6, Spend): whole minor units of the store's currency. */
  readonly minor: bigint;
  /** The order's credit time; null while it is not credited. A refund never moves it. */
  readonly creditedAt: Temporal.Instant | null;
}

/** Fractions of a minor unit, which only a proportional refund leaves, are rounded to the nearest. */
export function orderPrice(
  facts: StoredFacts,
  rules: OrderRules,
  remains: ReadonlyMap<string, LineRemains>,
): OrderPrice {
  const drafts = draftLines(facts, rules, true);
  const counted = drafts.flatMap(({ line }) => remains.get(line.lineId) ?? []);
  return { minor: spendOf(drafts, remains), creditedAt: creditTime(facts, rules, counted) };
}

/** Returns what an order counts toward tiers (program.md 6). null while it is not credited, and if nothing is left of its price. */
export function tierSpend(
  { minor, creditedAt }: OrderPrice,
  { movedIn }: Pick<OrderRules, "movedIn">,
): TierSpend | null {
  if (movedIn.spend) return null; // counted by what the file brought
  return minor === 0n || creditedAt === null ? null : { minor, creditedAt };
}

/** Returns what is left of some lines' money after refunds, in whole minor units. */
export function spendOf(drafts: readonly LineDraft[], remains: ReadonlyMap<string, LineRemains>): bigint {
  const parts = drafts.map((draft) => baseLeft(draft, remains));
  return round(sum(parts.flatMap(({ goods, tax }) => [goods, tax])), "half_up");
}

function creditTime(facts: StoredFacts, rules: OrderRules, counted: readonly LineRemains[]): Temporal.Instant | null {
  if (rules.spendAt === "paid") return facts.paidAt;
  if (rules.spendAt === "processed") {
    const status = facts.stated.financialStatus;
    return status === "voided" || status === "expired" ? null : processedAt(facts);
  }
  const fulfilledAt = fulfilledTime(facts, counted);
  if (facts.paidAt === null || fulfilledAt === null) return null;
  return later(facts.paidAt, fulfilledAt);
}

/** Returns when the fulfilment was created that shipped the last of all units that ship; null while some are still missing. */
function fulfilledTime(facts: StoredFacts, counted: readonly LineRemains[]): Temporal.Instant | null {
  const named = facts.fulfillments
    .filter(({ status }) => status === "success")
    .map((fulfillment) => ({ createdAt: fulfillment.createdAt, units: unitsByLine(fulfillment) }));
  const unnamed = unnamedDeliveries(facts).map(({ at, units }) => ({ createdAt: at, units }));
  const fulfillments =
    unnamed.length === 0
      ? named
      : [...named, ...unnamed].sort((a, b) => Temporal.Instant.compare(a.createdAt, b.createdAt));
  const byLine = shipmentsByLine(fulfillments);
  let last: Temporal.Instant | null = null;
  for (const { lineId, quantity, keptQuantity, returnedQuantity } of counted) {
    const shipments = byLine.get(lineId) ?? [];
    const total = shipments.reduce((sum, { count }) => addQuantities(sum, count), 0);
    if (total < addQuantities(keptQuantity, returnedQuantity)) return null;
    let missing = Math.min(quantity, total);
    for (const { createdAt, count } of shipments) {
      if (missing <= 0) break;
      missing = addQuantities(missing, -count);
      if (missing <= 0) last = last === null ? createdAt : later(last, createdAt);
    }
  }
  return last;
}

interface LineShipment {
  readonly createdAt: Temporal.Instant;
  readonly count: number;
}

/** Returns the shipments of each line, by line id, in the order of the fulfilments. */
function shipmentsByLine(
  fulfillments: readonly { readonly createdAt: Temporal.Instant; readonly units: ReadonlyMap<string, number> }[],
): ReadonlyMap<string, readonly LineShipment[]> {
  const byLine = new Map<string, LineShipment[]>();
  for (const { createdAt, units } of fulfillments) {
    for (const [lineId, count] of units) {
      const known = byLine.get(lineId);
      if (known === undefined) byLine.set(lineId, [{ createdAt, count }]);
      else known.push({ createdAt, count });
    }
  }
  return byLine;
}

function later(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) >= 0 ? a : b;
}
