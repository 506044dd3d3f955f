import type { Queryable, Tx } from "../../db/pool.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";
import { type RowIssue, type StoredIssue, storedIssue } from "../issue.ts";
import type { ImportLease } from "../lease-queries.ts";
import { insertIssues, LOCK_CHECKED_SHARED, LOCK_LATE_SHARED, markChecked, type StepCounts } from "../step-queries.ts";

// The check of another app's file, whose rows the folder moving-in/ reads.

const FIND_HELD = `select
from import i
where i.uid = $1
  and i.lease_uid = $2
  and i.state = 'checking'`;

const FINISH = `update import
set state = 'checked',
  survey = $3::text::jsonb,
  customer_count = $4,
  largest_points = $5,
  warning_count = 0,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2
  and state = 'checking'`;

const ADVANCE_TO = `update import_step
set row_count = $3,
  good_count = $4,
  points_added = $5,
  points_taken = $6
where import_uid = $1
  and phase = $2
  and n = 0`;

// Issues that the check did not find; stored once, however often the file is read. Without a value once the file was erased: the rest of a piece of it
// may be in memory still.
const KEEP_LATE = `insert into import_fault (import_uid, phase, n, line, code, member, value)
select $1, 'import', k.n, k.line, k.code, k.member,
  case when exists (select from import_piece p where p.import_uid = $1) then k.value end
from unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[]) as k (n, line, code, member, value)
where not exists (
  select
  from import_fault f
  where f.import_uid = $1
    and f.phase = 'check'
    and f.n = k.n
    and f.code = k.code)
on conflict do nothing`;

const FORGET_END = `delete from import_fault f
where f.import_uid = $1
  and f.phase = $2
  and f.n = 0`;

const AT_FAULT = `select f.n
from import_fault f
where f.import_uid = $1
  and f.phase = 'check'
  and f.n >= $2
  and f.n <= $3`;

const INSERT_FOUND = `insert into import_row (import_uid, bucket, customer_uid, n, line)
select $1, k.*
from unnest($2::smallint[], $3::uuid[], $4::integer[], $5::integer[]) as k`;

// A row's bucket is not known, and the key begins with it: the rows of a part of the file are looked for in each bucket.
const SELECT_FOUND = `select r.n,
  r.bucket,
  r.customer_uid as "customerUid"
from import_row r
where r.import_uid = $1
  and r.bucket = any((select array_agg(b.bucket::smallint) from generate_series(0, 255) b (bucket))::smallint[])
  and r.n between $2 and $3`;

const COUNT_LATE = `select count(*)::int as count
from import_fault f
where f.import_uid = $1
  and f.phase = 'import'`;

/** A row of an existing customer. */
export interface FoundRow extends CustomerRef {
  readonly n: number;
  readonly line: number;
}

/** Some checked rows of a file. */
export interface SurveyBatch {
  /** The number of the batch in the file. */
  readonly at: number;
  readonly counts: StepCounts;
  readonly issues: readonly StoredIssue[];
  /** The valid rows of customers. */
  readonly found: readonly FoundRow[];
}

/** Stores the issues of a batch's rows and the customers whom they belong to, once, under the lease. */
export async function insertSurveyBatch(tx: Tx, { uid, leaseUid }: ImportLease, batch: SurveyBatch): Promise<void> {
  await tx.execute(LOCK_CHECKED_SHARED, [uid]);
  if ((await tx.query(FIND_HELD, [uid, leaseUid])).length === 0) return;
  if (!(await markChecked(tx, uid, batch.at, batch.counts))) return;
  await insertIssues(tx, uid, "check", batch.issues);
  await insertFound(tx, uid, batch.found);
}

async function insertFound(tx: Tx, uid: string, found: readonly FoundRow[]): Promise<void> {
  if (found.length === 0) return;
  const rows = [found.map(({ n }) => n), found.map(({ line }) => line)];
  await tx.execute(INSERT_FOUND, [uid, ...refKeys(found), ...rows]);
}

/** Ends the check, under the lease: stores the file's sums, the number of its customers and the largest number of points for one of them. */
export async function finishSurvey(
  tx: Tx,
  { uid, leaseUid }: ImportLease,
  { survey, customers, largest }: { readonly survey: unknown; readonly customers: number; readonly largest: bigint },
): Promise<void> {
  await tx.execute(FINISH, [uid, leaseUid, JSON.stringify(survey), customers, largest]);
}

/** Stores the total progress of importing or undoing such a file. */
export async function recordMoved(
  tx: Pick<Tx, "execute">,
  { uid, phase }: { readonly uid: string; readonly phase: "import" | "undo" },
  { rows, valid, added, taken }: StepCounts,
): Promise<void> {
  await tx.execute(ADVANCE_TO, [uid, phase, rows, valid, added, taken]);
}

/** Stores why a phase of such a file ended early, in place of an earlier reason: an issue of no row. */
export async function insertEnd(
  tx: Tx,
  { uid, phase }: { readonly uid: string; readonly phase: "import" | "undo" },
  reason: RowIssue,
): Promise<void> {
  await tx.execute(FORGET_END, [uid, phase]);
  await insertIssues(tx, uid, phase, [storedIssue({ n: 0, line: 0 }, reason)]);
}

/** Stores why rows are left out that had no fault when the file was checked. */
export async function insertLateIssues(tx: Tx, uid: string, issues: readonly StoredIssue[]): Promise<void> {
  await tx.execute(LOCK_LATE_SHARED);
  await tx.execute(KEEP_LATE, [
    uid,
    issues.map(({ n }) => n),
    issues.map(({ line }) => line),
    issues.map(({ code }) => code),
    issues.map(({ field }) => field),
    issues.map(({ value }) => value),
  ]);
}

/** Returns those rows of a part of the file, in its order, that its check left out. */
export async function selectRowsAtFault(
  queryable: Queryable,
  uid: string,
  rows: readonly { readonly n: number }[],
): Promise<ReadonlySet<number>> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return new Set();
  const found = await queryable.query<{ n: number }>(AT_FAULT, [uid, first.n, last.n]);
  return new Set(found.map(({ n }) => n));
}

const FORGET_FOUND = `delete from import_row r
using import i, unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where i.kind = 'move'
  and i.state in ('checking', 'checked', 'importing')
  and r.import_uid = i.uid
  and r.bucket = k.bucket
  and r.customer_uid = k.customer_uid`;

/** Forgets that checks of other apps' files found customers whom an undone import takes away: by the start, their rows are those of nobody. */
export async function forgetFound(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  if (customers.length > 0) await tx.execute(FORGET_FOUND, refKeys(customers));
}

/** Returns the customers whom the check found for a part of the file, in its order, by the number of the row. */
export async function selectFoundCustomers(
  queryable: Queryable,
  uid: string,
  rows: readonly { readonly n: number }[],
): Promise<ReadonlyMap<number, CustomerRef>> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  type Found = Omit<FoundRow, "line">;
  const found = await queryable.query<Found>(SELECT_FOUND, [uid, first.n, last.n]);
  return new Map(found.map(({ n, bucket, customerUid }) => [n, { bucket, customerUid }]));
}

/** Returns how many rows were left out that had no fault when the file was checked. */
export async function countLateIssues(queryable: Queryable, uid: string): Promise<number> {
  return (await queryable.query<{ count: number }>(COUNT_LATE, [uid]))[0]?.count ?? 0;
}
