import type { Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { type Moved, NOTHING_MOVED, SUM_HOURS } from "./adjustment.ts";

/** What a person moved of a customer's points, by each id that leads to the customer. Its parameters are those of `readMoved`. */
export const SELECT_MOVED = `select coalesce(sum(p.points) filter (where p.points > 0), 0)::bigint as given,
  coalesce(-sum(p.points) filter (where p.points < 0), 0)::bigint as taken
from customer_alias i
join audit_entry e on e.subject_kind = 'customer' and e.subject_id = i.storefront_id
cross join lateral (select (e.after->>'point_value')::bigint as points) p
where i.bucket = $1
  and i.customer_uid = $2
  and e.actor_id = $3
  and e.at > $4
  and e.action in ('points.adjusted', 'points.adjustment_undone')`;

/**
 * What a person gave a customer and took within the 24 hours before a moment, without a second person: the audit log has it, under
 * the ids of those who were merged into the customer too. To be called under the balance's lock, but for a preview.
 */
export async function readMoved(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { staffUid, now }: { readonly staffUid: string; readonly now: Temporal.Instant },
): Promise<Moved> {
  const since = now.subtract({ hours: SUM_HOURS });
  const [moved] = await queryable.query<Moved>(SELECT_MOVED, [bucket, customerUid, staffUid, since]);
  return moved ?? NOTHING_MOVED;
}
