import { SUM_HOURS } from "../allowance/allowance.ts";
import { forgetEndedMoves } from "../customers/former-address-queries.ts";
import type { Deps } from "../deps.ts";
import { UNDO_DAYS } from "./csv-import.ts";

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

const DROP_ROWS = `delete from import_row r
using import i
where i.uid = r.import_uid
  and (i.state = 'given_up' or i.finished_at < $1 or (i.state = 'undone' and i.undone_at < $2 and not ${isLeft("r")})
    or (i.kind = 'move' and i.state in ('imported', 'undone')))
  and i.state not in ('checking', 'importing', 'undoing')`;

/** How long the rows of an undone import still count for what its persons moved for each customer. */
const MOVED_DAYS = SUM_HOURS / 24;

const DROP_CHANGES = `delete from import_change c
using import i
where i.uid = c.import_uid
  and (i.state = 'given_up' or i.finished_at < $1 or (i.state = 'undone' and not ${isLeft("c")}))
  and i.state not in ('checking', 'importing', 'undoing')`;

const DROP_PROFILES = `delete from import_profile p
using import i
where i.uid = p.import_uid
  and i.state = 'given_up'`;

/**
 * Removes files some days after the upload, issues some days after they were found, rows when an import can no longer be undone (and counts for
 * no allowance), and interrupted uploads. An import that was not started by then is cancelled. What was done and by whom is kept.
 */
export async function pruneImports(deps: Pick<Deps, "db" | "clock" | "config">): Promise<number> {
  const { importFileDays } = deps.config.retention;
  const now = deps.clock.now();
  const days = (count: number) => now.subtract({ hours: 24 * count });
  return deps.db.tx(async (tx) => {
    await tx.execute(DROP_UPLOADS, [days(1)]);
    const given = await tx.execute(GIVE_UP, [days(importFileDays), now]);
    await tx.execute(DROP_PIECES, [days(importFileDays)]);
    await tx.execute(DROP_ISSUES, [days(importFileDays)]);
    await tx.execute(DROP_ROWS, [days(UNDO_DAYS), days(MOVED_DAYS)]);
    await tx.execute(DROP_CHANGES, [days(UNDO_DAYS)]);
    await tx.execute(DROP_PROFILES);
    await forgetEndedMoves(tx, now);
    return given;
  });
}
