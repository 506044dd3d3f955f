import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { deleteNotesOf } from "./notes/note-queries.ts";
import { ERASED_COLUMNS } from "./profile/erased-columns.ts";
import { eraseTags } from "./tags/erase-tags.ts";

const ERASE = `update customer c
set ${ERASED_COLUMNS},
  birthday_set_at = null,
  redacted_at = coalesce(c.redacted_at, $3)
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where c.bucket = k.bucket
  and c.customer_uid = k.customer_uid`;

/** Erases the personal data of deleted or merged customers. Their ids stay, so that late events are not mistaken for those of new customers. */
export async function eraseCustomers(tx: Tx, refs: readonly CustomerRef[], at: Temporal.Instant): Promise<void> {
  await tx.execute(ERASE, [...refKeys(refs), at]);
  await eraseTags(tx, refs);
  await deleteNotesOf(tx, refs);
}
