import type { Param } from "../db/encode-param.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import { CLOCK_SLACK } from "../time/is-ahead.ts";
import { type FilterSql, forBuckets } from "./filter-sql.ts";
import { type SegmentFilter, segmentFilter } from "./segment-filter.ts";

export interface Segment {
  readonly uid: string;
  readonly name: string;
  readonly filter: SegmentFilter;
  readonly createdBy: string;
  readonly createdAt: Temporal.Instant;
  readonly askedAt: Temporal.Instant;
  readonly generation: number;
  readonly shownGeneration: number | null;
  /** Null: the list is complete. */
  readonly nextBucket: number | null;
  readonly found: bigint;
  readonly customers: bigint | null;
  readonly countedAt: Temporal.Instant | null;
}

const SELECT = `select uid,
  name,
  filter,
  created_by as "createdBy",
  created_at as "createdAt",
  asked_at as "askedAt",
  generation,
  shown_generation as "shownGeneration",
  next_bucket as "nextBucket",
  found,
  customers,
  counted_at as "countedAt"
from segment`;

/** What a person sets of a segment. */
export function valuesOfSegment({ name, filter }: Pick<Segment, "name" | "filter">): readonly unknown[] {
  return [name, segmentFilter.encode(filter)];
}

type Row = Omit<Segment, "filter"> & { readonly filter: unknown };
const toSegment = (row: Row): Segment => ({ ...row, filter: segmentFilter.decode(row.filter) });

export async function selectSegments(queryable: Queryable): Promise<Segment[]> {
  return (await queryable.query<Row>(`${SELECT} order by lower(name)`)).map(toSegment);
}

export async function selectSegment(queryable: Queryable, uid: string): Promise<Segment | undefined> {
  const [row] = await queryable.query<Row>(`${SELECT} where uid = $1`, [uid]);
  return row && toSegment(row);
}

/** Reads a segment and locks it for the transaction that changes it. */
export async function lockSegment(tx: Tx, uid: string): Promise<Segment | undefined> {
  const [row] = await tx.query<Row>(`${SELECT} where uid = $1 for no key update`, [uid]);
  return row && toSegment(row);
}

const NEXT = `${SELECT}
where next_bucket is not null
order by asked_at, uid
limit 1
for no key update skip locked`;

/** Locks a segment whose list is being built, and skips those that another node works on. */
export async function lockNextSegment(tx: Tx): Promise<Segment | undefined> {
  const [row] = await tx.query<Row>(NEXT);
  return row && toSegment(row);
}

/** Adds the customers of a range of buckets who match the filter to the list. Returns how many they are. */
export function insertFound(
  tx: Tx,
  { uid, generation }: Pick<Segment, "uid" | "generation">,
  sql: FilterSql,
  [first, last]: readonly [number, number],
): Promise<number> {
  const params: readonly Param[] = forBuckets(sql, first, last);
  const text = `insert into segment_customer (segment_uid, generation, bucket, customer_uid)
select $${params.length + 1}::uuid, $${params.length + 2}::integer, c.bucket, c.customer_uid
${sql.text}`;
  return tx.execute(text, [...params, uid, generation]);
}

const ADVANCE = "update segment set next_bucket = $2, found = found + $3 where uid = $1";
const COMPLETE = `update segment
set next_bucket = null,
  shown_generation = generation,
  customers = found + $2,
  found = 0,
  counted_at = asked_at
where uid = $1`;
const DROP_GENERATION = `insert into segment_dropped (segment_uid, generation)
values ($1, $2)
on conflict do nothing`;

/** Saves the progress of a list; after the last bucket the list is shown, and the previous one is dropped. */
export async function advanceSegment(tx: Tx, segment: Segment, nextBucket: number, found: number): Promise<void> {
  const { uid, shownGeneration } = segment;
  if (nextBucket < 256) return void (await tx.execute(ADVANCE, [uid, nextBucket, found]));
  await tx.execute(COMPLETE, [uid, found]);
  if (shownGeneration !== null) await dropGeneration(tx, uid, shownGeneration);
}

export function dropGeneration(tx: Tx, uid: string, generation: number) {
  return tx.execute(DROP_GENERATION, [uid, generation]);
}

const FIRST_DROPPED = `select segment_uid as uid,
  generation
from segment_dropped
limit 1
for update skip locked`;
const DELETE_DROPPED = `delete from segment_customer
where (segment_uid, generation, bucket, customer_uid) in (
  select segment_uid, generation, bucket, customer_uid
  from segment_customer
  where segment_uid = $1
    and generation = $2
  limit $3)`;
const FORGET_DROPPED = "delete from segment_dropped where segment_uid = $1 and generation = $2";

/** Deletes rows of a dropped list. Returns 0 where there is no such list, otherwise the number of deleted rows + 1. */
export async function deleteDropped(tx: Tx, rows: number): Promise<number> {
  const [dropped] = await tx.query<{ uid: string; generation: number }>(FIRST_DROPPED);
  if (dropped === undefined) return 0;
  const deleted = await tx.execute(DELETE_DROPPED, [dropped.uid, dropped.generation, rows]);
  if (deleted < rows) await tx.execute(FORGET_DROPPED, [dropped.uid, dropped.generation]);
  return deleted + 1;
}

const ASK = `update segment
set asked_at = $2,
  generation = generation + 1,
  next_bucket = 0,
  found = 0
where uid = $1`;

/** Starts a new list; an unfinished one is dropped. */
export async function beginSegmentList(
  tx: Tx,
  { uid, generation, nextBucket }: Segment,
  now: Temporal.Instant,
): Promise<void> {
  if (nextBucket !== null) await dropGeneration(tx, uid, generation);
  await tx.execute(ASK, [uid, now]);
}

const OLD = `${SELECT}
where next_bucket is null
  and (asked_at < $1 or asked_at > $2)
order by asked_at
limit 1
for no key update skip locked`;

/** The next segment whose list was requested before a time, or by a clock that was ahead (decision 63). */
export async function lockOldSegment(
  tx: Tx,
  { before, now }: { readonly before: Temporal.Instant; readonly now: Temporal.Instant },
): Promise<Segment | undefined> {
  const [row] = await tx.query<Row>(OLD, [before, now.add(CLOCK_SLACK)]);
  return row && toSegment(row);
}
