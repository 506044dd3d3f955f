import type { Queryable, Tx } from "../db/pool.ts";
import type { ReasonType } from "../ledger/allotment-types.ts";
import { type CustomerRef, refOf } from "../ledger/customer-ref.ts";
import type { StoredTier } from "../tiers/tier-queries.ts";
import { bucketsOf, POST_ROWS } from "./csv-import.ts";
import type { LanePlace } from "./step-queries.ts";

/** A good row as the check keeps it. */
export interface GoodRow extends CustomerRef {
  readonly n: number;
  readonly line: number;
  readonly pointValue: bigint | null;
  readonly extends: boolean | null;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  readonly tierUid: string | null;
  readonly minimumTierUid: string | null;
  readonly clearsMinimum: boolean | null;
  readonly skipNextCheck: boolean | null;
}

/** A good row to be worked on. */
export interface WorkRow extends GoodRow {
  /** Whose points these are now: another customer's where that one was merged meanwhile. */
  readonly holder: CustomerRef;
  readonly isGone: boolean;
  readonly before: StoredTier | null;
  readonly after: StoredTier | null;
}

const INSERT_ROWS = `insert into import_row (import_uid, bucket, n, line, customer_uid, point_value, extends, reason_type, note,
  tier_uid, minimum_tier_uid, clears_minimum, skip_next_check)
select $1, k.*
from unnest($2::smallint[], $3::integer[], $4::integer[], $5::uuid[], $6::bigint[], $7::boolean[], $8::text[], $9::text[],
  $10::uuid[], $11::uuid[], $12::boolean[], $13::boolean[]) as k`;

const WORK_COLUMNS = `r.bucket,
  r.customer_uid as "customerUid",
  r.n,
  r.line,
  r.point_value as "pointValue",
  r.extends,
  r.reason_type as "reasonType",
  r.note,
  r.tier_uid as "tierUid",
  r.minimum_tier_uid as "minimumTierUid",
  r.clears_minimum as "clearsMinimum",
  r.skip_next_check as "skipNextCheck",
  r.before,
  r.after,
  b.merged_into as "mergedInto",
  c.deleted_at as "deletedAt"`;

// The rows are cut off first, at a count that the planner sees: else it may read whole tables for each batch.
const NEXT_ROWS = `select ${WORK_COLUMNS}
from (
  select w.*
  from import_row w
  where w.import_uid = $1
    and w.bucket <= $2
    and (w.bucket, w.n) > ($3, $4)
  order by w.bucket, w.n
  limit ${POST_ROWS}) r
join balance b on b.bucket = r.bucket and b.customer_uid = r.customer_uid
join customer c on c.bucket = r.bucket and c.customer_uid = r.customer_uid
order by r.bucket, r.n`;

// Backwards, so that of two rows of a customer the later one is undone first.
const LAST_ROWS = `select ${WORK_COLUMNS}
from (
  select w.*
  from import_row w
  where w.import_uid = $1
    and w.bucket >= $2
    and (w.bucket, w.n) < ($3, $4)
  order by w.bucket desc, w.n desc
  limit ${POST_ROWS}) r
join balance b on b.bucket = r.bucket and b.customer_uid = r.customer_uid
join customer c on c.bucket = r.bucket and c.customer_uid = r.customer_uid
order by r.bucket desc, r.n desc`;

const KEEP_STANDINGS = `update import_row r
set before = k.before::jsonb,
  after = k.after::jsonb
from unnest($2::smallint[], $3::integer[], $4::text[], $5::text[]) as k (bucket, n, before, after)
where r.import_uid = $1
  and r.bucket = k.bucket
  and r.n = k.n`;

const N_MAX = 2_147_483_647;

/** Keeps the rows that the check found good. */
export async function insertRows(tx: Tx, uid: string, rows: readonly GoodRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(INSERT_ROWS, [
    uid,
    rows.map((row) => row.bucket),
    rows.map((row) => row.n),
    rows.map((row) => row.line),
    rows.map((row) => row.customerUid),
    rows.map((row) => row.pointValue),
    rows.map((row) => row.extends),
    rows.map((row) => row.reasonType),
    rows.map((row) => row.note),
    rows.map((row) => row.tierUid),
    rows.map((row) => row.minimumTierUid),
    rows.map((row) => row.clearsMinimum),
    rows.map((row) => row.skipNextCheck),
  ]);
}

interface RawRow extends Omit<WorkRow, "holder" | "isGone"> {
  readonly mergedInto: string | null;
  readonly deletedAt: Temporal.Instant | null;
}

const FIND_DELETED = `select c.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.deleted_at is not null`;

/** The next rows of a lane, at most `POST_ROWS`, behind the last one that is done, in the order of its buckets. */
export async function selectNextRows(
  queryable: Queryable,
  { uid, lane, from }: { uid: string; lane: number; from: LanePlace },
): Promise<WorkRow[]> {
  const { first, last } = bucketsOf(lane);
  const rows = await queryable.query<RawRow>(NEXT_ROWS, [uid, last, from.bucket ?? first, from.n ?? 0]);
  return workRows(queryable, rows);
}

/** The same backwards. */
export async function selectLastRows(
  queryable: Queryable,
  { uid, lane, from }: { uid: string; lane: number; from: LanePlace },
): Promise<WorkRow[]> {
  const { first, last } = bucketsOf(lane);
  const rows = await queryable.query<RawRow>(LAST_ROWS, [uid, first, from.bucket ?? last, from.n ?? N_MAX]);
  return workRows(queryable, rows);
}

/** A row whose customer was merged is the other one's, who may be gone in turn. */
async function workRows(queryable: Queryable, rows: readonly RawRow[]): Promise<WorkRow[]> {
  const survivors = [...new Set(rows.flatMap(({ mergedInto }) => mergedInto ?? []))].map(refOf);
  const keys = [survivors.map(({ bucket }) => bucket), survivors.map(({ customerUid }) => customerUid)];
  const deleted = survivors.length === 0 ? [] : await queryable.query<{ customerUid: string }>(FIND_DELETED, keys);
  const gone = new Set(deleted.map(({ customerUid }) => customerUid));
  return rows.map(({ mergedInto, deletedAt, ...row }) => {
    const own = { bucket: row.bucket, customerUid: row.customerUid };
    if (mergedInto === null) return { ...row, holder: own, isGone: deletedAt !== null };
    return { ...row, holder: refOf(mergedInto), isGone: gone.has(mergedInto) };
  });
}

/** Keeps the standings before and after each row of tiers, for whoever undoes it. */
export async function keepStandings(
  tx: Tx,
  uid: string,
  placed: readonly { readonly row: GoodRow; readonly before: StoredTier; readonly after: StoredTier }[],
): Promise<void> {
  await tx.execute(KEEP_STANDINGS, [
    uid,
    placed.map(({ row }) => row.bucket),
    placed.map(({ row }) => row.n),
    placed.map(({ before }) => JSON.stringify(before)),
    placed.map(({ after }) => JSON.stringify(after)),
  ]);
}
