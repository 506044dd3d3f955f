import { nullableCodec } from "../db/json-codec.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import type { HistoryKind } from "../history/history.ts";
import { type CustomerRef, refKeys, refOf } from "../ledger/customer-ref.ts";
import { readDeleted } from "../ledger/merge/merge-queries.ts";
import type { StoredTier } from "../tiers/tier-queries.ts";
import type { ReasonType } from "../wire/allotment-choices.ts";
import { bucketsOf } from "./csv-import.ts";
import { tierCodec } from "./import-codecs.ts";
import type { ShardPlace } from "./step-queries.ts";

/** A valid row as the check stores it. */
export interface ValidRow extends CustomerRef {
  readonly n: number;
  readonly line: number;
  /** Null: 0, or not a row of points. */
  readonly pointValue: bigint | null;
  readonly extends: boolean | null;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  readonly expiresAt: Temporal.Instant | null;
  readonly tierUid: string | null;
  readonly minimumTierUid: string | null;
  readonly clearsMinimum: boolean | null;
  readonly skipNextCheck: boolean | null;
  /** For points: when they were earned; for tiers: until when the tier is kept; for spend and history: when it happened. */
  readonly datedAt: Temporal.Instant | null;
  readonly spentMinor: bigint | null;
  /** For history. */
  readonly entry: HistoryKind | null;
}

/** A valid row to be processed. */
export interface WorkRow extends ValidRow {
  /** The customer who has the points now, if the row's customer was merged. */
  readonly holder: CustomerRef;
  readonly isGone: boolean;
  readonly before: StoredTier | null;
  readonly after: StoredTier | null;
}

/** Whether a row's customer has been merged into another since the check. */
export function isOfMerged({ holder, customerUid }: WorkRow): boolean {
  return holder.customerUid !== customerUid;
}

const INSERT_ROWS = `insert into import_row (import_uid, bucket, n, line, customer_uid, point_value, extends, reason_type, note,
  tier_uid, minimum_tier_uid, clears_minimum, skip_next_check, expires_at, dated_at, spend_minor, entry)
select $1, k.*
from unnest($2::smallint[], $3::integer[], $4::integer[], $5::uuid[], $6::bigint[], $7::boolean[], $8::text[], $9::text[],
  $10::uuid[], $11::uuid[], $12::boolean[], $13::boolean[], $14::timestamptz[], $15::timestamptz[], $16::bigint[], $17::text[]) as k`;

const ROW_COLUMNS = `r.bucket,
  r.customer_uid as "customerUid",
  r.n,
  r.line,
  r.point_value as "pointValue",
  r.extends,
  r.reason_type as "reasonType",
  r.note,
  r.expires_at as "expiresAt",
  r.tier_uid as "tierUid",
  r.minimum_tier_uid as "minimumTierUid",
  r.clears_minimum as "clearsMinimum",
  r.skip_next_check as "skipNextCheck",
  r.dated_at as "datedAt",
  r.spend_minor as "spentMinor",
  r.entry,
  r.before,
  r.after`;

const NEXT_ROWS = `select ${ROW_COLUMNS}
from import_row r
where r.import_uid = $1
  and r.bucket <= $2
  and (r.bucket, r.n) > ($3, $4)
order by r.bucket, r.n
limit $5`;

// Backwards, so that of two rows of a customer the later one is undone first.
const LAST_ROWS = `select ${ROW_COLUMNS}
from import_row r
where r.import_uid = $1
  and r.bucket >= $2
  and (r.bucket, r.n) < ($3, $4)
order by r.bucket desc, r.n desc
limit $5`;

const GONE_ROWS = `select r.import_uid as "importUid",
  ${ROW_COLUMNS}
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join import i on i.kind = 'points' and i.state in ('undoing', 'undone')
join import_row r on r.import_uid = i.uid and r.bucket = k.bucket and r.customer_uid = k.customer_uid
join import_fault f on f.import_uid = r.import_uid and f.phase = 'undo' and f.n = r.n and f.code = 'customer_gone'
order by i.started_at desc, i.uid, r.bucket desc, r.n desc`;

const LEFT = `select b.customer_uid as "customerUid",
  b.merged_into as "mergedInto",
  b.is_deleted as "isDeleted"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join balance b on b.bucket = k.bucket and b.customer_uid = k.customer_uid
where b.merged_into is not null
  or b.is_deleted
union all
select k.customer_uid,
  null::uuid,
  true
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where not exists (select from customer c where c.bucket = k.bucket and c.customer_uid = k.customer_uid)`;

// The rows of a batch are next to each other in the key, so the range of their keys is searched too. Right after a file was checked the planner knows
// nothing of its rows and takes them for one: it then read every row of the file for each batch.
/** Its parameters are the import's uid, the keys and standings of the rows, and the first and the last key. */
export const KEEP_STANDINGS = `update import_row r
set before = k.before::jsonb,
  after = k.after::jsonb
from unnest($2::smallint[], $3::integer[], $4::text[], $5::text[]) as k (bucket, n, before, after)
where r.import_uid = $1
  and r.bucket = k.bucket
  and r.n = k.n
  and (r.bucket, r.n) >= ($6, $7)
  and (r.bucket, r.n) <= ($8, $9)`;

const tierOrNull = nullableCodec(tierCodec);

const N_MAX = 2_147_483_647;

/** Stores the rows that the check found valid. */
export async function insertRows(tx: Tx, uid: string, rows: readonly ValidRow[]): Promise<void> {
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
    rows.map((row) => row.expiresAt),
    rows.map((row) => row.datedAt),
    rows.map((row) => row.spentMinor),
    rows.map((row) => row.entry),
  ]);
}

/** The row as it is stored. */
interface RawRow extends ValidRow {
  readonly before: unknown;
  readonly after: unknown;
}

/** The part of a shard to process next. */
export interface ShardBatch {
  readonly shard: number;
  /** The maximum number of rows. */
  readonly size: number;
  /**
   * Whether customers are assumed to exist as the check found them, and rows to be uncounted: true at the first attempt. If a customer was merged or
   * deleted meanwhile, locking the balances detects it; if a row has already counted, its key's index does. Then the transaction starts over and
   * checks both.
   */
  readonly isTrusting: boolean;
}

/** Returns a shard's next rows, after the last finished one, in the order of its buckets. */
export async function selectNextRows(
  queryable: Queryable,
  { uid, batch, from }: { uid: string; batch: ShardBatch; from: ShardPlace },
): Promise<WorkRow[]> {
  const { first, last } = bucketsOf(batch.shard);
  const place = [from.bucket ?? first, from.n ?? 0];
  const rows = await queryable.query<RawRow>(NEXT_ROWS, [uid, last, ...place, batch.size]);
  return workRows(queryable, rows, batch);
}

/** The same backwards. */
export async function selectLastRows(
  queryable: Queryable,
  { uid, batch, from }: { uid: string; batch: ShardBatch; from: ShardPlace },
): Promise<WorkRow[]> {
  const { first, last } = bucketsOf(batch.shard);
  const place = [from.bucket ?? last, from.n ?? N_MAX];
  const rows = await queryable.query<RawRow>(LAST_ROWS, [uid, first, ...place, batch.size]);
  return workRows(queryable, rows, batch);
}

/**
 * Returns the rows of some customers that undoing their imports left, because the customers were deleted, as rows of `holder`, who has their points now;
 * those that were imported last come first.
 */
export async function selectGoneRows(
  tx: Tx,
  refs: readonly CustomerRef[],
  holder: CustomerRef,
): Promise<readonly (WorkRow & { readonly importUid: string })[]> {
  const rows = await tx.query<RawRow & { importUid: string }>(GONE_ROWS, refKeys(refs));
  return rows.map((raw) => ({ ...raw, before: null, after: null, holder, isGone: false }));
}

/** Assigns a row of a merged customer to the surviving one, who may be deleted or merged in turn. */
async function workRows(queryable: Queryable, rows: readonly RawRow[], { isTrusting }: ShardBatch): Promise<WorkRow[]> {
  const left = isTrusting ? new Map<string, Left>() : await selectLeft(queryable, rows);
  const survivors = [...left.values()].flatMap(({ mergedInto }) => (mergedInto === null ? [] : [refOf(mergedInto)]));
  const gone = await readDeleted(queryable, survivors);
  return rows.map((raw) => {
    const { bucket, customerUid } = raw;
    const { mergedInto, isDeleted } = left.get(customerUid) ?? THERE;
    const holder = mergedInto === null ? { bucket, customerUid } : refOf(mergedInto);
    const isGone = mergedInto === null ? isDeleted : gone.has(mergedInto);
    return { ...raw, before: tierOrNull.decode(raw.before), after: tierOrNull.decode(raw.after), holder, isGone };
  });
}

interface Left {
  readonly mergedInto: string | null;
  readonly isDeleted: boolean;
}

const THERE: Left = { mergedInto: null, isDeleted: false };

/** Returns the rows' customers who were merged, deleted or removed, by uid. */
async function selectLeft(queryable: Queryable, rows: readonly CustomerRef[]): Promise<ReadonlyMap<string, Left>> {
  const keys = refKeys(rows);
  const left = await queryable.query<Left & { customerUid: string }>(LEFT, keys);
  return new Map(left.map((each) => [each.customerUid, each]));
}

/** Stores the standings before and after each row of tiers, for undoing it. The rows are in the order of their keys. */
export async function saveTierStandings(
  tx: Tx,
  uid: string,
  placed: readonly { readonly row: ValidRow; readonly before: StoredTier; readonly after: StoredTier }[],
): Promise<void> {
  const [first, last] = [placed[0]?.row, placed.at(-1)?.row];
  if (first === undefined || last === undefined) return;
  await tx.execute(KEEP_STANDINGS, [
    uid,
    placed.map(({ row }) => row.bucket),
    placed.map(({ row }) => row.n),
    placed.map(({ before }) => JSON.stringify(tierCodec.encode(before))),
    placed.map(({ after }) => JSON.stringify(tierCodec.encode(after))),
    ...[first.bucket, first.n, last.bucket, last.n],
  ]);
}
