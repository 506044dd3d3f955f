import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { invalid, Problem } from "../problems.ts";
import type { AdjustmentChange, AdjustmentInput } from "./adjustment.ts";
import { readUndoable } from "./read-undoable.ts";

/**
 * Returns the requested change of a balance in the ledger's terms. Throws `invalid`, and `not_found` if the customer has no such adjustment to undo.
 */
export async function readChange(
  queryable: Queryable,
  customer: CustomerRef,
  { pointValue, balance, undo }: Pick<AdjustmentInput, "pointValue" | "balance" | "undo">,
  now: Temporal.Instant,
): Promise<AdjustmentChange> {
  const given = [pointValue, balance, undo].filter((field) => field !== undefined);
  if (given.length !== 1) throw invalid("/point_value", "expected exactly one of point_value and balance");
  if (pointValue !== undefined) return { kind: "add", pointValue: BigInt(pointValue) };
  if (balance !== undefined) return { kind: "set", balance: BigInt(balance) };
  const { undoable, holder } = await readUndoable(queryable, undo ?? "", now);
  if (holder.customerUid !== customer.customerUid) throw new Problem("not_found");
  return { kind: "undo", of: undoable };
}
