import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { LOCK_CHECKED, LOCK_LATE } from "./step-queries.ts";

// A file may name anybody, whether a row of it is stored or not: a waiting one can no longer be read.
const GIVE_UP = `update import
set state = 'given_up',
  lease_uid = null,
  lease_until = null
where state in ('uploaded', 'checking', 'checked')
returning uid`;

// A batch in progress has read rows from which it would create customers: wait for its end, so that the next one finds none.
const LOCK_SHARDS = `select s.n
from import_step s
join import i on i.uid = s.import_uid
where i.state = 'importing'
order by s.import_uid, s.phase, s.n
for no key update of s`;

// Importing and undoing use only the rows.
const DROP_PIECES = `delete from import_piece p
using import i
where i.uid = p.import_uid
  and i.state <> 'uploading'`;

// Points, and kinds of a file, are not personal data.
const FORGET_VALUES = `update import_fault
set value = null
where value is not null
  and code not in ('points_left', 'above_balance', 'part_not_imported', 'part_not_undone')`;

const FORGET_NOTES = `update import_row r
set note = null
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where r.bucket = k.bucket
  and r.customer_uid = k.customer_uid
  and r.note is not null`;

const DROP_PROFILES = `delete from import_profile p
using import i
where i.uid = p.import_uid
  and i.state = 'given_up'`;

// Under the customer's id, and under ids that refer to it.
const FORGET_PROFILES = `update import_profile p
set profile = '{}'
where p.storefront_id in (
  select c.storefront_id
  from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
  join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
  union
  select a.storefront_id
  from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
  join customer_alias a on a.bucket = k.bucket and a.customer_uid = k.customer_uid)`;

const DROP_ALL_PROFILES = "delete from import_profile";

// Values that a file replaced are as personal as the file: nothing can be restored for an erased person.
const FORGET_CHANGES = `delete from import_change h
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where h.customer_uid = k.customer_uid`;

const DROP_ALL_CHANGES = "delete from import_change";

/**
 * Removes what files contained about customers whose data is erased. All files are removed, and imports that were not started are cancelled. Started
 * ones continue with their rows, and their issues keep only lines and reasons. With "everybody", no more customers are created.
 */
export async function eraseImports(tx: Tx, of: readonly CustomerRef[] | "everybody"): Promise<void> {
  const given = await tx.query<{ uid: string }>(GIVE_UP);
  for (const { uid } of given) await tx.execute(LOCK_CHECKED, [uid]);
  await tx.execute(LOCK_LATE);
  if (of === "everybody") await tx.execute(LOCK_SHARDS);
  const refs = of === "everybody" ? [] : of;
  const keys = refKeys(refs);
  await Promise.all([
    tx.execute(DROP_PIECES),
    tx.execute(FORGET_VALUES),
    tx.execute(FORGET_NOTES, keys),
    tx.execute(of === "everybody" ? DROP_ALL_PROFILES : DROP_PROFILES),
    tx.execute(FORGET_PROFILES, keys),
    of === "everybody" ? tx.execute(DROP_ALL_CHANGES) : tx.execute(FORGET_CHANGES, keys),
  ]);
}
