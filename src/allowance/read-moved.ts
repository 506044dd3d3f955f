import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { type MovedBefore, NOTHING_MOVED, SUM_HOURS } from "./allowance.ts";

const MAX = "9223372036854775807";

/** What a person moved, by each customer whose points are the asked one's now. Its parameters are those of `readMoved`. */
export const SELECT_MOVED = `with moved as materialized (
  select m.bucket, m.customer_uid, m.import_uid, m.is_undo, m.given, m.taken
  from staff_movement m
  where m.staff_uid = $1
    and m.at > $2),
side as materialized (
  select $3::smallint as bucket, $4::uuid as customer_uid
  union all
  select b.bucket, b.customer_uid
  from balance b
  where b.merged_into = $4),
own as (
  select m.given, m.taken
  from moved m
  join side s on s.bucket = m.bucket and s.customer_uid = m.customer_uid
  union all
  select f.given, f.taken
  from moved m
  cross join lateral (
    select coalesce(sum(abs(r.point_value)) filter (where (r.point_value > 0) <> m.is_undo), 0) as given,
      coalesce(sum(abs(r.point_value)) filter (where (r.point_value > 0) = m.is_undo), 0) as taken
    from side s
    cross join lateral (
      select r.point_value
      from import_row r
      where r.import_uid = m.import_uid
        and r.bucket = s.bucket
        and r.customer_uid = s.customer_uid
      offset 0) r) f
  where m.import_uid is not null)
select (select least(coalesce(sum(given), 0), ${MAX}) from own)::bigint as "customerGiven",
  (select least(coalesce(sum(taken), 0), ${MAX}) from own)::bigint as "customerTaken",
  (select least(coalesce(sum(given), 0), ${MAX}) from moved)::bigint as "dayGiven",
  (select least(coalesce(sum(taken), 0), ${MAX}) from moved)::bigint as "dayTaken"`;

interface Sums {
  readonly customerGiven: bigint;
  readonly customerTaken: bigint;
  readonly dayGiven: bigint;
  readonly dayTaken: bigint;
}

/**
 * What a person moved of a customer, and of all, within the 24 hours before a moment without a second person: by adjustments, imports and
 * the undoing of either, those who were merged into the customer included. To be called under `lockMover`, but for a preview.
 */
export async function readMoved(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { staffUid, now }: { readonly staffUid: string; readonly now: Temporal.Instant },
): Promise<MovedBefore> {
  const since = now.subtract({ hours: SUM_HOURS });
  const [sums] = await queryable.query<Sums>(SELECT_MOVED, [staffUid, since, bucket, customerUid]);
  if (sums === undefined) return { customer: NOTHING_MOVED, day: NOTHING_MOVED };
  return {
    customer: { given: sums.customerGiven, taken: sums.customerTaken },
    day: { given: sums.dayGiven, taken: sums.dayTaken },
  };
}
