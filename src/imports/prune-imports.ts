import { SUM_HOURS } from "../allowance/allowance.ts";
import { forgetEndedMoves } from "../customers/former-address-queries.ts";
import type { Deps } from "../deps.ts";
import { UNDO_DAYS } from "./csv-import.ts";

const SLICE_ROWS = 5_000;

const DROP_UPLOADS = `delete from import
where state = 'uploading'
  and created_at < $1`;

// Includes the pieces of interrupted uploads.
const DROP_PIECES = `delete from import_piece p
where not exists (
  select
  from import i
  where i.uid = p.import_uid
    and (i.created_at >= $1 or i.state in ('checking', 'importing', 'undoing'))
    and i.state <> 'given_up')`;

const GIVE_UP = `update import
set state = 'given_up'
where state in ('uploaded', 'checked')
  and created_at < $1
  and coalesce(waits_until <= $2, true)`;

// The issues of rows that a check, an import or an undoing found, some days after it. Why a phase of another app's file ended early is an issue of no
// row, which names nobody: it stays.
const DROP_ISSUES = `delete from import_fault f
using import i
where i.uid = f.import_uid
  and (i.state = 'given_up'
    or f.n > 0
    and greatest(
      i.created_at,
      case f.phase when 'import' then i.finished_at when 'undo' then i.undone_at end) < $1)
  and i.state not in ('checking', 'importing', 'undoing')`;

/** SQL: whether an undoing left a row. The list of these rows names their customers, for as long as it has them. */
const isLeft = (alias: string) => `exists (
    select
    from import_fault f
    where f.import_uid = i.uid
      and f.phase = 'undo'
      and f.n = ${alias}.n)`;

// Import by import: rows of the others are not read.
const DROP_ROWS = `delete from import_row
where (import_uid, bucket, n) in (
  select r.import_uid, r.bucket, r.n
  from import i
  cross join lateral (
    select r.import_uid, r.bucket, r.n
    from import_row r
    where r.import_uid = i.uid
      and (i.state = 'given_up' or i.finished_at < $1 or i.kind = 'move' or not ${isLeft("r")})
    limit ${SLICE_ROWS}) r
  where (i.state = 'given_up' or i.finished_at < $1 or (i.state = 'undone' and i.undone_at < $2)
      or (i.kind = 'move' and i.state in ('imported', 'undone')))
    and i.state not in ('checking', 'importing', 'undoing')
  limit ${SLICE_ROWS})`;

/** How long the rows of an undone import still count for what its persons moved for each customer. */
const MOVED_DAYS = SUM_HOURS / 24;

const DROP_CHANGES = `delete from import_change
where (import_uid, bucket, n) in (
  select c.import_uid, c.bucket, c.n
  from import i
  cross join lateral (
    select c.import_uid, c.bucket, c.n
    from import_change c
    where c.import_uid = i.uid
      and (i.state <> 'undone' or i.finished_at < $1 or not ${isLeft("c")})
    limit ${SLICE_ROWS}) c
  where (i.state in ('given_up', 'undone') or i.finished_at < $1)
    and i.state not in ('checking', 'importing', 'undoing')
  limit ${SLICE_ROWS})`;

const DROP_PROFILES = `delete from import_profile
where (import_uid, bucket, n) in (
  select p.import_uid, p.bucket, p.n
  from import i
  cross join lateral (
    select p.import_uid, p.bucket, p.n
    from import_profile p
    where p.import_uid = i.uid
    limit ${SLICE_ROWS}) p
  where i.state = 'given_up'
  limit ${SLICE_ROWS})`;

/**
 * Removes files some days after the upload, issues some days after they were found, rows when an import can no longer be undone (and counts for
 * no allowance), and interrupted uploads. An import that was not started by then is cancelled. What was done and by whom is kept. Rows go in slices
 * of 5,000, each in its own transaction: an import may have millions.
 */
export async function pruneImports(deps: Pick<Deps, "db" | "clock" | "config">): Promise<number> {
  const { importFileDays } = deps.config.retention;
  const now = deps.clock.now();
  const days = (count: number) => now.subtract({ hours: 24 * count });
  const given = await deps.db.tx(async (tx) => {
    await tx.execute(DROP_UPLOADS, [days(1)]);
    const given = await tx.execute(GIVE_UP, [days(importFileDays), now]);
    await tx.execute(DROP_PIECES, [days(importFileDays)]);
    await tx.execute(DROP_ISSUES, [days(importFileDays)]);
    await forgetEndedMoves(tx, now);
    return given;
  });
  await inSlices(() => deps.db.execute(DROP_ROWS, [days(UNDO_DAYS), days(MOVED_DAYS)]));
  await inSlices(() => deps.db.execute(DROP_CHANGES, [days(UNDO_DAYS)]));
  await inSlices(() => deps.db.execute(DROP_PROFILES));
  return given;
}

async function inSlices(dropSlice: () => Promise<number>): Promise<void> {
  let count: number;
  do count = await dropSlice();
  while (count === SLICE_ROWS);
}
