import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { type Moved, SUM_HOURS } from "./allowance.ts";

// Movements older than the allowance's hours are not read any more.
const DROP_OLD = `delete from staff_movement
where staff_uid = $1
  and at <= $2`;

const INSERT = `insert into staff_movement (staff_uid, at, bucket, customer_uid, import_uid, is_undo, given, taken)
values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Points that a person moved, for a customer or with a file. */
export interface Movement extends Moved {
  readonly staffUid: string;
  readonly at: Temporal.Instant;
  readonly of: CustomerRef | { readonly importUid: string; readonly isUndo: boolean };
}

/** Records what a person moved without a second person, in the transaction that moves it. Deletes records older than the allowance's hours. */
export async function recordMovement(tx: Tx, { staffUid, at, of, given, taken }: Movement): Promise<void> {
  const customer = "bucket" in of ? [of.bucket, of.customerUid] : [null, null];
  const file = "bucket" in of ? [null, false] : [of.importUid, of.isUndo];
  await tx.execute(DROP_OLD, [staffUid, at.subtract({ hours: SUM_HOURS })]);
  await tx.execute(INSERT, [staffUid, at, ...customer, ...file, given, taken]);
}
