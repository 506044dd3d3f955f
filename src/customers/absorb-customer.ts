import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRow, Patched } from "./customer.ts";
import { deleteNotesOf, moveNotes } from "./notes/note-queries.ts";
import { moveReviews } from "./order-review-queries.ts";
import { ERASED_COLUMNS } from "./profile/erased-columns.ts";
import { mergeProfiles } from "./profile/merged-profile.ts";
import { writeProfiles } from "./profile/write-profiles.ts";
import { keepTagHistory } from "./tags/keep-tag-history.ts";

const LEAD_ON = `update customer_alias
set bucket = $3,
  customer_uid = $4
where bucket = $1
  and customer_uid = $2`;

// If one of both has unsubscribed, the survivor has.
const STAY_UNSUBSCRIBED = `update customer c
set unsubscribed_at = greatest(c.unsubscribed_at, o.unsubscribed_at)
from customer o
where c.bucket = $3
  and c.customer_uid = $4
  and o.bucket = $1
  and o.customer_uid = $2
  and o.unsubscribed_at is not null`;

// The survivor's birthday has been known for as long as either of both stated it: `writeProfiles` dates a new one from the merge.
const KNOW_BIRTHDAY_SINCE = `update customer c
set birthday_set_at = least(coalesce(c.birthday_set_at, c.created_at), coalesce(o.birthday_set_at, o.created_at))
from customer o
where c.bucket = $3
  and c.customer_uid = $4
  and o.bucket = $1
  and o.customer_uid = $2
  and right(c.birthday, 5) = right($5, 5)`;

const EMPTY = `update customer
set ${ERASED_COLUMNS},
  deleted_at = coalesce(deleted_at, $3)
where bucket = $1
  and customer_uid = $2`;

/**
 * Merges one customer's profile into another: interface ids of the merged customer lead to the surviving one from now on. The survivor's
 * profile wins, and its unknown fields are filled. The merged customer's row stays for the ledger, without personal data. Both balances
 * must be locked.
 */
export async function absorbCustomer(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  removed: CustomerRow,
  kept: CustomerRow,
): Promise<Patched> {
  const now = deps.clock.now();
  await tx.execute(STAY_UNSUBSCRIBED, [removed.bucket, removed.customerUid, kept.bucket, kept.customerUid]);
  await tx.execute(EMPTY, [removed.bucket, removed.customerUid, now]);
  await tx.execute(LEAD_ON, [removed.bucket, removed.customerUid, kept.bucket, kept.customerUid]);
  const patched = mergeProfiles(kept, removed);
  const { profile, changed: _, ...versions } = patched;
  await keepTagHistory(tx, deps, { removed, kept, takesTags: patched.profile.tags !== kept.tags });
  await moveReviews(tx, removed, kept);
  await moveNotes(tx, removed, kept);
  if (kept.deletedAt !== null) await deleteNotesOf(tx, [kept]);
  if (kept.deletedAt === null) {
    await writeProfiles(tx, deps, [{ ...kept, ...profile, ...versions }]);
    const sides = [removed.bucket, removed.customerUid, kept.bucket, kept.customerUid];
    if (removed.birthday !== null) await tx.execute(KNOW_BIRTHDAY_SINCE, [...sides, removed.birthday]);
  }
  return patched;
}
