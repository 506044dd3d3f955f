import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const MOVE_HOLDS = `update reservation
set bucket = $3,
  customer_uid = $4
where bucket = $1
  and customer_uid = $2
  and state = 'held'`;

// Holds and debts are the surviving customer's: what is left is the bare ledger.
const STRIP = `update balance
set held_points = 0,
  held_until = 'infinity',
  owed_points = 0
where bucket = $1
  and customer_uid = $2`;

/** Gives a merged customer's holds to the surviving one; both balances are locked, and neither row's points are written yet. */
export async function moveHolds(tx: Tx, removed: CustomerRef, kept: CustomerRef): Promise<void> {
  const { bucket, customerUid } = removed;
  await Promise.all([
    tx.execute(MOVE_HOLDS, [bucket, customerUid, kept.bucket, kept.customerUid]),
    tx.execute(STRIP, [bucket, customerUid]),
  ]);
}
