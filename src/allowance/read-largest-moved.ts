import type { Queryable } from "../db/pool.ts";
import { SUM_HOURS } from "./allowance.ts";

/** Memory to group the rows of a large file without writing them to disk; until the statement's transaction ends. */
const GIVE_MEMORY = "select set_config('work_mem', '128MB', true)";

// By whoever has a row's points now: few customers were merged.
const SELECT_LARGEST = `with moved as materialized (
  select m.import_uid, m.is_undo, m.bucket, m.customer_uid, m.given, m.taken
  from staff_movement m
  where m.staff_uid = $1
    and m.at > $2),
side as (
  select r.customer_uid, r.point_value as points, true as is_own
  from import_row r
  where r.import_uid = $3
  union all
  select r.customer_uid, case when m.is_undo <> $4 then -r.point_value else r.point_value end, false
  from moved m
  cross join lateral (
    select r.customer_uid, r.point_value
    from import_row r
    where r.import_uid = m.import_uid
    offset 0) r
  union all
  select m.customer_uid, (case when $4 then -1 else 1 end) * p.points, false
  from moved m
  cross join lateral (values (m.given::bigint), (-m.taken::bigint)) as p (points)
  where m.import_uid is null),
held as (
  select sum(s.points) filter (where s.points > 0) as added,
    -sum(s.points) filter (where s.points < 0) as taken,
    bool_or(s.is_own and s.points > 0) as adds,
    bool_or(s.is_own and s.points < 0) as takes
  from side s
  left join (
    select b.customer_uid, b.merged_into
    from balance b
    where b.merged_into is not null) m on m.customer_uid = s.customer_uid
  group by coalesce(m.merged_into, s.customer_uid))
select greatest(max(h.added) filter (where h.adds), max(h.taken) filter (where h.takes), 0)::text as largest
from held h`;

/** A file of points, as its good rows say, or its undoing. */
export interface MovingFile {
  readonly importUid: string;
  readonly isUndo: boolean;
}

/**
 * The most points that a file moves one way of one customer, with what its person moved of that customer the same way within 24 hours, those
 * who were merged into the customer included. Reads every row of the file and of the person's other files of these hours: seconds
 * for a million. To be called under `lockMover`, but for a preview.
 */
export async function readLargestMoved(
  queryable: Queryable,
  { importUid, isUndo }: MovingFile,
  { staffUid, now }: { readonly staffUid: string; readonly now: Temporal.Instant },
): Promise<bigint> {
  const since = now.subtract({ hours: SUM_HOURS });
  await queryable.execute(GIVE_MEMORY);
  const [most] = await queryable.query<{ largest: string }>(SELECT_LARGEST, [staffUid, since, importUid, isUndo]);
  return BigInt(most?.largest ?? 0);
}
