import type { Queryable, Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { type Moved, type MovedBefore, NOTHING_MOVED, SUM_HOURS } from "./allowance.ts";

/** The person whose movements are summed, and the end of the period. */
interface Mover {
  readonly staffUid: string;
  readonly now: Temporal.Instant;
}

/** Returns the first two parameters of the statements that read a person's movements. */
function ofMover({ staffUid, now }: Mover): [staffUid: string, since: Temporal.Instant] {
  return [staffUid, now.subtract({ hours: SUM_HOURS })];
}

/** SQL: the uid by which the parts of another app's file `i` name it, as `moveUidOf` makes it. */
const MOVE_UID = `substr(encode(sha256(convert_to('move/' || (i.options ->> 'vendor') || '/' || encode(i.content_sha256, 'hex'), 'UTF8')), 'hex'), 1, 32)::uuid::text`;

/** SQL: another app's file `i` is being imported or undone. */
const IS_MOVING = "i.kind = 'move' and i.state in ('importing', 'undoing')";

/**
 * SQL for the points that a person moved within the allowance's hours. What another app's file gives whom is in the rows of its part with points. Until it
 * is imported or undone, all of it counts as one customer's, whoever that is. So does all of a file of balances to set, whose rows do not say what they
 * move, for those whom it names (`readFileExcess`).
 */
const MOVED = `with moved as materialized (
  select m.bucket, m.customer_uid, m.import_uid, m.is_undo, m.given, m.taken,
    coalesce(p.uid, m.import_uid) as rows_uid,
    coalesce(${IS_MOVING}, false) as is_move,
    coalesce((i.options ->> 'setsBalance')::boolean and not (${IS_MOVING}), false) as is_set
  from staff_movement m
  left join import i on i.uid = m.import_uid
  left join lateral (
    select p.uid
    from import p
    where i.kind = 'move'
      and p.kind = 'points'
      and p.state not in ('uploading', 'uploaded', 'checking', 'given_up')
      and p.options -> 'move' ->> 'uid' = ${MOVE_UID}
    order by p.created_at desc
    limit 1) p on true
  where m.staff_uid = $1
    and m.at > $2)`;

const LOCK = "select pg_advisory_xact_lock(hashtextextended('staff-movement/' || $1, 0))";

/**
 * Serializes decisions about a person's allowance until the transaction ends. Call it before the person's movements are read and before any row is
 * locked.
 */
export async function lockMover(tx: Tx, staffUid: string): Promise<void> {
  await tx.execute(LOCK, [staffUid]);
}

const SELECT_DAY = `select coalesce(sum(m.given), 0)::text as given,
  coalesce(sum(m.taken), 0)::text as taken
from staff_movement m
where m.staff_uid = $1
  and m.at > $2`;

/** Returns the points that a person moved without approval, for all customers, within the 24 hours before a moment. */
export async function readDayMoved(queryable: Queryable, mover: Mover): Promise<Moved> {
  const [sums] = await queryable.query<{ given: string; taken: string }>(SELECT_DAY, ofMover(mover));
  return { given: BigInt(sums?.given ?? 0), taken: BigInt(sums?.taken ?? 0) };
}

const MAX = "9223372036854775807";

/** The points that a person moved, for each customer whose points now belong to the given one. Its parameters are those of `readMoved`. */
export const SELECT_MOVED = `${MOVED},
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
      where r.import_uid = m.rows_uid
        and r.bucket = s.bucket
        and r.customer_uid = s.customer_uid
      offset 0) r) f
  where m.import_uid is not null
    and not m.is_move
    and not m.is_set
  union all
  select m.given, m.taken
  from moved m
  where m.is_move
    or (m.is_set and exists (
      select
      from side s
      join import_row r on r.import_uid = m.rows_uid and r.bucket = s.bucket and r.customer_uid = s.customer_uid)))
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
 * Returns the points that a person moved without approval within the 24 hours before a moment, for one customer (customers merged into them included)
 * and for all: by adjustments, by imports and by undoing either. Call it under `lockMover`, except for a preview.
 */
export async function readMoved(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  mover: Mover,
): Promise<MovedBefore> {
  const [sums] = await queryable.query<Sums>(SELECT_MOVED, [...ofMover(mover), bucket, customerUid]);
  if (sums === undefined) return { customer: NOTHING_MOVED, day: NOTHING_MOVED };
  return {
    customer: { given: sums.customerGiven, taken: sums.customerTaken },
    day: { given: sums.dayGiven, taken: sums.dayTaken },
  };
}

/** Memory to group the rows of a large file without writing them to disk, until the transaction ends. */
const GIVE_MEMORY = "select set_config('work_mem', '128MB', true)";

// Groups by the customer who has a row's points now: few customers were merged.
const SELECT_LARGEST = `${MOVED},
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
    where r.import_uid = m.rows_uid
    offset 0) r
  where not m.is_move
    and not m.is_set
  union all
  select coalesce(m.customer_uid, r.customer_uid), (case when $4 then -1 else 1 end) * p.points, false
  from moved m
  cross join lateral (values (least(m.given, ${MAX})::bigint), (-least(m.taken, ${MAX})::bigint)) as p (points)
  left join lateral (
    select distinct r.customer_uid
    from import_row r
    where r.import_uid = m.rows_uid) r on m.is_set
  where m.import_uid is null
    or m.is_set),
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
  group by coalesce(m.merged_into, s.customer_uid)),
whole as (
  select coalesce(sum(case when $4 then m.taken else m.given end), 0) as added,
    coalesce(sum(case when $4 then m.given else m.taken end), 0) as taken
  from moved m
  where m.is_move)
select greatest(max(coalesce(h.added, 0) + w.added) filter (where h.adds), max(coalesce(h.taken, 0) + w.taken) filter (where h.takes), 0)::text as largest
from held h
cross join whole w`;

/** The valid rows of a file of points, or their undoing. */
export interface MovingFile {
  readonly importUid: string;
  readonly isUndo: boolean;
}

/**
 * Returns the most points that a file moves in one direction for one customer, including those that its person already moved for that customer in the
 * same direction within 24 hours. Customers who were merged into the customer are included. Reads every row of the file and of the person's other
 * files of these hours: seconds for a million rows. Call it under `lockMover`, except for a preview.
 */
export async function readLargestMoved(
  queryable: Queryable,
  { importUid, isUndo }: MovingFile,
  mover: Mover,
): Promise<bigint> {
  await queryable.execute(GIVE_MEMORY);
  const [most] = await queryable.query<{ largest: string }>(SELECT_LARGEST, [...ofMover(mover), importUid, isUndo]);
  return BigInt(most?.largest ?? 0);
}

const SELECT_LARGE_MOVES = `select m.staff_uid as "staffUid",
  s.name,
  least(greatest(m.given, m.taken), ${MAX})::bigint as points
from (
  select staff_uid, sum(given) as given, sum(taken) as taken
  from staff_movement
  where at > $1
    and at <= $2
  group by staff_uid) m
join staff s on s.uid = m.staff_uid
where greatest(m.given, m.taken) > $3
order by points desc, m.staff_uid
limit 100`;

/** Returns who moved more than so many points in one direction, without approval, within the allowance's hours; largest first. */
export function selectLargeMoves(
  queryable: Queryable,
  now: Temporal.Instant,
  above: bigint,
): Promise<{ staffUid: string; name: string; points: bigint }[]> {
  return queryable.query(SELECT_LARGE_MOVES, [now.subtract({ hours: SUM_HOURS }), now, above]);
}
