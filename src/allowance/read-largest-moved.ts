import type { Queryable } from "../db/pool.ts";
import { SUM_HOURS } from "./allowance.ts";

// Sums by the customer of the row, then by whoever has that customer's points now: few were merged.
const SELECT_LARGEST = `with moved as materialized (select m.import_uid,
  m.is_undo,
  m.bucket,
  m.customer_uid,
  m.given,
  m.taken
from staff_movement m
where m.staff_uid = $1
  and m.at > $2),
side as (
  select r.bucket, r.customer_uid, r.point_value as points, true as is_own
  from import_row r
  where r.import_uid = $3
  union all
  select r.bucket, r.customer_uid, case when m.is_undo <> $4 then -r.point_value else r.point_value end, false
  from moved m
  cross join lateral (
    select r.bucket, r.customer_uid, r.point_value
    from import_row r
    where r.import_uid = m.import_uid
    offset 0) r
  union all
  select m.bucket, m.customer_uid, (case when $4 then -1 else 1 end) * p.points, false
  from moved m
  cross join lateral (values (m.given), (-m.taken)) as p (points)
  where m.import_uid is null),
summed as (
  select s.bucket,
    s.customer_uid,
    sum(greatest(s.points, 0)) as added,
    sum(greatest(-s.points, 0)) as taken,
    bool_or(s.is_own and s.points > 0) as adds,
    bool_or(s.is_own and s.points < 0) as takes
  from side s
  group by s.bucket, s.customer_uid),
held as (
  select sum(s.added) as added,
    sum(s.taken) as taken,
    bool_or(s.adds) as adds,
    bool_or(s.takes) as takes
  from summed s
  left join (
    select b.customer_uid, b.merged_into
    from balance b
    where b.merged_into is not null) m on m.customer_uid = s.customer_uid
  group by coalesce(m.merged_into, s.customer_uid))
select coalesce(max(greatest(case when h.adds then h.added else 0 end, case when h.takes then h.taken else 0 end)), 0)::text
  as largest
from held h`;

/** A file of points, as its good rows say, or its undoing. */
export interface MovingFile {
  readonly importUid: string;
  readonly isUndo: boolean;
}

/**
 * The most points that a file moves one way of one customer, with what its person moved of that customer the same way within 24 hours, those
 * who were merged into the customer included. Reads every row of the file and of the person's other files of these hours: a second or
 * two for a million. To be called under `lockMover`, but for a preview.
 */
export async function readLargestMoved(
  queryable: Queryable,
  { importUid, isUndo }: MovingFile,
  { staffUid, now }: { readonly staffUid: string; readonly now: Temporal.Instant },
): Promise<bigint> {
  const since = now.subtract({ hours: SUM_HOURS });
  const [most] = await queryable.query<{ largest: string }>(SELECT_LARGEST, [staffUid, since, importUid, isUndo]);
  return BigInt(most?.largest ?? 0);
}
