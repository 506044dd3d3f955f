import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

// A file may name anybody, whether a row of it is kept or not.
const DROP_PIECES = `delete from import_piece p
using import i
where i.uid = p.import_uid
  and i.state in ('imported', 'undoing', 'undone', 'given_up')`;

const FORGET_VALUES = `update import_fault
set value = null
where code in ('customer_unknown', 'customer_ambiguous', 'customer_repeated', 'note_too_long', 'text_unclean', 'too_many_cells')`;

const FORGET_NOTES = `update import_row r
set note = null
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where r.bucket = k.bucket
  and r.customer_uid = k.customer_uid
  and r.note is not null`;

/** Removes what files that were imported said of customers whose data is erased; their faults tell lines and reasons only. */
export async function eraseImports(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  const keys = [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)];
  await Promise.all([tx.execute(DROP_PIECES), tx.execute(FORGET_VALUES), tx.execute(FORGET_NOTES, keys)]);
}
