import type { Tx } from "../../db/pool.ts";
import { isFormerShipmentCause } from "../plan/order-keys.ts";
import { awardRows } from "../plan/planned-posting.ts";
import type { OrderPostingRow } from "../store-order.ts";

const REVIVE = `update order_posting
set wanted = wanted - $3
where order_id = $1
  and cause = $2`;

/**
 * Makes the plan request awards again that the order lost to another order's key, when keys did not contain the order. Such a row gave
 * nothing, so its requested points no longer count as requested, and the plan requests them under a present key. This covers only as many
 * points as the order's rows requested beyond what they gave: refunds and moves since then stay. The order must be locked; repeating it
 * changes nothing. Returns the new rows.
 */
export async function reviveLostAwards(
  tx: Tx,
  orderId: string,
  rows: readonly OrderPostingRow[],
): Promise<readonly OrderPostingRow[]> {
  const awards = awardRows(rows);
  let missing = awards.reduce((total, { requested, taken }) => total + requested - taken, 0n);
  const revived: OrderPostingRow[] = [];
  for (const row of rows) {
    const points = isLost(row) && missing > 0n ? smaller(row.requested, missing) : 0n;
    missing -= points;
    revived.push(points === 0n ? row : { ...row, requested: row.requested - points });
    if (points > 0n) await tx.execute(REVIVE, [orderId, row.cause, points]);
  }
  return revived;
}

function isLost({ cause, requested, result }: OrderPostingRow): boolean {
  return result === "duplicate" && requested > 0n && isFormerShipmentCause(cause);
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
