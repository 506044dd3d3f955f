import type { OrderRules } from "./order-rules.ts";
import {
  awardRows,
  nextNumber,
  orderPosting,
  type PlannedPosting,
  type PostedRow,
  pointsAwarded,
} from "./planned-posting.ts";

/**
 * An order whose customer changed takes its points along (program.md 4): `take` is posted to the customer who had it, `give` to
 * the one who has it now, each kept as a row of the order. Together they ask for nothing, so later plans are not touched. Null
 * where the order has awarded nothing. Post these before the order is planned again.
 */
export function planOrderMove(
  orderId: string,
  rules: OrderRules,
  rows: readonly PostedRow[],
): { readonly take: PlannedPosting; readonly give: PlannedPosting } | null {
  const points = pointsAwarded(rows);
  if (points <= 0n) return null;
  const prefix = `adjust/${orderId}/`;
  const n = nextNumber(awardRows(rows), prefix);
  const posting = (key: string, pointValue: bigint): PlannedPosting =>
    orderPosting(orderId, rules, { key, pointValue, object: null, action: null });
  return { take: posting(`${prefix}${n}`, -points), give: posting(`${prefix}${n + 1}`, points) };
}
