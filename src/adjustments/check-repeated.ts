import { selectCustomer } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { readHolders } from "../ledger/merge/merge-queries.ts";
import { Problem } from "../problems.ts";
import type { Adjustment, AdjustmentChange } from "./adjustment.ts";

const OWNER = `select a.bucket,
  a.customer_uid as "customerUid"
from allotment a
where a.uid = $1`;

// The ledger does not record which balance was set: balance_after includes the points that were held then.
const SET_BALANCE = `select (e.after->>'set_balance')::bigint as "setBalance"
from audit_entry e
where e.subject_kind = 'customer'
  and e.subject_id = $1
  and e.action = 'points.adjusted'
  and e.after->>'allotment' = $2`;

/**
 * The same key must mean the same adjustment, of the same customer or of the one into whom that customer was merged. Throws `idempotency_mismatch`
 * if the allotment that was posted first is another one.
 */
export async function checkRepeated(
  tx: Tx,
  { customer, change }: Pick<Adjustment, "customer" | "change">,
  posted: { readonly uid: string; readonly pointValue: bigint },
): Promise<void> {
  const [owner] = await tx.query<CustomerRef>(OWNER, [posted.uid]);
  if (owner === undefined) throw new Error(`allotment ${posted.uid} is counted, and gone`);
  const holder = (await readHolders(tx, [owner])).get(owner.customerUid)?.customerUid ?? owner.customerUid;
  const isOwn = holder === customer.customerUid;
  if (!isOwn || !(await isSame(tx, change, { ...posted, owner }))) throw new Problem("idempotency_mismatch");
}

async function isSame(
  tx: Tx,
  change: AdjustmentChange,
  posted: { readonly uid: string; readonly pointValue: bigint; readonly owner: CustomerRef },
): Promise<boolean> {
  if (change.kind === "undo") return true; // the key is of the undone allotment
  const setBalance = await readSetBalance(tx, posted);
  if (change.kind === "set") return setBalance === change.balance;
  return setBalance === null && posted.pointValue === change.pointValue;
}

/** The balance that an adjustment has set; null: it has added or taken points. */
async function readSetBalance(
  tx: Tx,
  { uid, owner }: { readonly uid: string; readonly owner: CustomerRef },
): Promise<bigint | null> {
  const subject = await selectCustomer(tx, owner);
  if (subject === undefined) throw new Error(`the customer of allotment ${uid} is gone`);
  const [entry] = await tx.query<{ setBalance: bigint | null }>(SET_BALANCE, [subject.storefrontId, uid]);
  return entry?.setBalance ?? null;
}
