import type { Queryable, Tx } from "../db/pool.ts";
import { type Phase, SHARDS } from "./csv-import.ts";
import type { IssueCode, IssuePhase, StoredIssue } from "./issue.ts";

/** The counts of a batch. Points are not negative. */
export interface StepCounts {
  readonly rows: number;
  readonly valid: number;
  readonly added: bigint;
  readonly taken: bigint;
  /** For a file of customers: valid rows that created one, and those that changed one. */
  readonly created?: number;
  readonly changed?: number;
}

/** The last finished row of a shard; null: none. */
export interface ShardPlace {
  readonly bucket: number | null;
  readonly n: number | null;
}

// A lock between the batches of a check, which write to an import, and verbs that empty it (to restart the check, or to erase it). Locking the
// import's row would block its lease, and consecutive batches would never release it to the other transaction.
const CHECK_KEY = "hashtextextended('pointkeeper import check/' || $1, 0)";

/** Held by a batch until its transaction ends; takes the import's uid. */
export const LOCK_CHECKED_SHARED = `select pg_advisory_xact_lock_shared(${CHECK_KEY})`;

/** Waits for the batches in progress and blocks others. */
export const LOCK_CHECKED = `select pg_advisory_xact_lock(${CHECK_KEY})`;

// A lock between the issues of rows that are left out of another app's file while it is imported, and an erasure, which forgets the values of all issues.
const LATE_KEY = "hashtextextended('pointkeeper import late', 0)";

/** Held while such issues are stored, until the transaction ends. */
export const LOCK_LATE_SHARED = `select pg_advisory_xact_lock_shared(${LATE_KEY})`;

/** Waits for them, and blocks others. */
export const LOCK_LATE = `select pg_advisory_xact_lock(${LATE_KEY})`;

const OPEN_SHARDS = `insert into import_step (import_uid, phase, n)
select $1, $2, shard
from generate_series(0, $3 - 1) as shard
on conflict do nothing`; // a move whose undoing ended early may be undone again

// The lock serializes a shard's batches on all nodes.
const LOCK_SHARD = `select s.at_bucket as bucket,
  s.at_n as n
from import_step s
where s.import_uid = $1
  and s.phase = $2
  and s.n = $3
for no key update of s`;

const ADVANCE_SHARD = `update import_step
set row_count = row_count + $4,
  good_count = good_count + $5,
  points_added = points_added + $6,
  points_taken = points_taken + $7,
  at_bucket = $8,
  at_n = $9,
  created_count = created_count + $10,
  changed_count = changed_count + $11
where import_uid = $1
  and phase = $2
  and n = $3`;

const COUNT_LATER = `update import_step
set good_count = good_count + $3,
  points_added = points_added + $4,
  points_taken = points_taken + $5
where import_uid = $1
  and phase = 'undo'
  and n = $2`;

const DROP_GONE = `delete from import_fault
where import_uid = $1
  and phase = 'undo'
  and n = any($2)
  and code = 'customer_gone'`;

const INSERT_CHECK = `insert into import_step (import_uid, phase, n, row_count, good_count, points_added, points_taken)
values ($1, 'check', $2, $3, $4, $5, $6)
on conflict do nothing`;

const DONE_CHECKS = `select s.n
from import_step s
where s.import_uid = $1
  and s.phase = 'check'`;

const INSERT_ISSUES = `insert into import_fault (import_uid, phase, n, line, code, member, value)
select $1, $2, k.n, k.line, k.code, k.member, k.value
from unnest($3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[]) as k (n, line, code, member, value)`;

const FIND_ISSUE = `select
from import_fault f
where f.import_uid = $1
  and f.phase = 'check'
  and f.code = $2
limit 1`;

/** Whether the check found an issue with a code in any row. */
export async function hasIssue(queryable: Queryable, uid: string, code: IssueCode): Promise<boolean> {
  return (await queryable.query(FIND_ISSUE, [uid, code])).length > 0;
}

/** Creates the shards of a phase, with no finished rows. */
export async function openShards(tx: Tx, uid: string, phase: Phase): Promise<void> {
  await tx.execute(OPEN_SHARDS, [uid, phase, SHARDS]);
}

/** Locks a shard until the transaction ends and returns its progress; undefined: its import does not exist any more. */
export async function lockShard(tx: Tx, uid: string, phase: Phase, shard: number): Promise<ShardPlace | undefined> {
  const rows = await tx.query<ShardPlace>(LOCK_SHARD, [uid, phase, shard]);
  return rows[0];
}

/** Stores the counts of a locked shard's batch. */
export async function advanceShard(
  tx: Tx,
  { uid, phase, shard }: { readonly uid: string; readonly phase: Phase; readonly shard: number },
  to: ShardPlace,
  counts: StepCounts,
): Promise<void> {
  const { rows, valid, added, taken, created = 0, changed = 0 } = counts;
  const done = [rows, valid, added, taken, to.bucket, to.n, created, changed];
  await tx.execute(ADVANCE_SHARD, [uid, phase, shard, ...done]);
}

/** Adds to a shard's counts what was undone after its batch. */
export async function countUndoneLater(
  tx: Tx,
  { uid, shard }: { readonly uid: string; readonly shard: number },
  { valid, added, taken }: Omit<StepCounts, "rows">,
): Promise<void> {
  await tx.execute(COUNT_LATER, [uid, shard, valid, added, taken]);
}

/** Removes the issues of rows that an undoing left because their customer was gone. */
export async function dropGoneIssues(tx: Tx, uid: string, rows: readonly { readonly n: number }[]): Promise<void> {
  await tx.execute(DROP_GONE, [uid, rows.map(({ n }) => n)]);
}

/** Records that a batch of the file was checked; false: it already was, and nothing of it may be written again. */
export async function markChecked(tx: Tx, uid: string, n: number, counts: StepCounts): Promise<boolean> {
  const { rows, valid, added, taken } = counts;
  return (await tx.execute(INSERT_CHECK, [uid, n, rows, valid, added, taken])) === 1;
}

/** Returns the batches of the file that were checked. */
export async function selectChecked(tx: Pick<Tx, "query">, uid: string): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ n: number }>(DONE_CHECKS, [uid]);
  return new Set(rows.map(({ n }) => n));
}

/** Stores the issues of rows. */
export async function insertIssues(
  tx: Tx,
  uid: string,
  phase: IssuePhase,
  issues: readonly StoredIssue[],
): Promise<void> {
  if (issues.length === 0) return;
  await tx.execute(INSERT_ISSUES, [
    uid,
    phase,
    issues.map(({ n }) => n),
    issues.map(({ line }) => line),
    issues.map(({ code }) => code),
    issues.map(({ field }) => field),
    issues.map(({ value }) => value),
  ]);
}
