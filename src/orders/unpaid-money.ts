import type { FinancialStatus } from "../platforms/neutral-events.ts";
import { addQuantities } from "../platforms/quantity.ts";
import { type Shipment, shippedPart } from "./award-split.ts";
import { type Fraction, fraction, least, minus, over, shortened, times } from "./fraction.ts";
import { linesOf, type StoredFacts } from "./order-facts.ts";
import { type LineRemains, paidForLine } from "./refund-base.ts";

const UNPAID: ReadonlySet<FinancialStatus | undefined> = new Set(["pending", "authorized", "partially_paid"]);

/** Returns what the buyer owes for an order that was paid and then grew by an edit, in minor units; 0: nothing, or it is not known. */
function owedMoney({ paidAt, stated }: StoredFacts): bigint {
  const { financialStatus, outstanding } = stated;
  if (paidAt === null || outstanding === undefined || !UNPAID.has(financialStatus)) return 0n;
  return outstanding.minor > 0n ? outstanding.minor : 0n;
}

/**
 * Returns what is left of each line without the part that was shipped and is not paid (program.md 4, When: paid and fulfilled). What the buyer owes
 * is what did not ship first, and then the last lines of the order, to which an edit adds. Once it is paid, nothing is subtracted any more.
 */
export function paidRemains(
  facts: StoredFacts,
  shipments: readonly Shipment[],
  remains: ReadonlyMap<string, LineRemains>,
): ReadonlyMap<string, LineRemains> {
  const owed = owedMoney(facts);
  if (owed === 0n) return remains;
  const units = new Map<string, number>();
  for (const one of shipments) units.set(one.lineId, addQuantities(units.get(one.lineId) ?? 0, one.units));
  let open = fraction(owed);
  const shipped: { readonly left: LineRemains; readonly money: Fraction }[] = [];
  for (const line of linesOf(facts)) {
    const left = remains.get(line.lineId);
    if (left === undefined || line.kind === "tip" || line.kind === "fee") continue;
    const money = times(fraction(paidForLine(line, facts.stated.taxesIncluded ?? false)), left.money);
    const sent = times(money, shippedPart(left, units.get(line.lineId) ?? 0));
    const unsent = minus(money, sent);
    open = minus(open, least(open, unsent));
    if (sent.num > 0n) shipped.push({ left, money: sent });
  }
  const paid = new Map(remains);
  for (const { left, money } of shipped.toReversed()) {
    const taken = least(open, money);
    if (taken.num === 0n) break;
    open = minus(open, taken);
    paid.set(left.lineId, { ...left, money: shortened(times(left.money, over(minus(money, taken), money))) });
  }
  return paid;
}
