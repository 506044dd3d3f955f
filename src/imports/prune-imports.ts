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

type Table = "import_row" | "import_change" | "import_profile";

/** SQL: whether an undoing left the row `r` of the import $1. The list of these rows names their customers, for as long as it has them. */
const IS_LEFT = `exists (
    select
    from import_fault f
    where f.import_uid = $1
      and f.phase = 'undo'
      and f.n = r.n)`;

/** SQL: whether an import still has rows. */
const has = (table: Table) => `exists (select from ${table} r where r.import_uid = i.uid)`;

/** Imports whose rows end, and whether those that an undoing left stay. */
const ENDED_ROWS = `select i.uid,
  not (i.state = 'given_up' or coalesce(i.finished_at < $1, false) or i.kind = 'move') as "keepsLeft"
from import i
where (i.state = 'given_up' or i.finished_at < $1 or (i.state = 'undone' and i.undone_at < $2)
    or (i.kind = 'move' and i.state in ('imported', 'undone')))
  and i.state not in ('checking', 'importing', 'undoing')
  and ${has("import_row")}
order by i.uid`;

/** How long the rows of an undone import still count for what its persons moved for each customer. */
const MOVED_DAYS = SUM_HOURS / 24;

const ENDED_CHANGES = `select i.uid,
  i.state = 'undone' and not coalesce(i.finished_at < $1, false) as "keepsLeft"
from import i
where (i.state in ('given_up', 'undone') or i.finished_at < $1)
  and i.state not in ('checking', 'importing', 'undoing')
  and ${has("import_change")}
order by i.uid`;

const ENDED_PROFILES = `select i.uid,
  false as "keepsLeft"
from import i
where i.state = 'given_up'
  and ${has("import_profile")}
order by i.uid`;

/** The last row of a slice of an import, which begins behind a row. */
const SLICE_END = (table: Table) => `select r.bucket,
  r.n
from ${table} r
where r.import_uid = $1
  and (r.bucket, r.n) > ($2, $3)
order by r.bucket, r.n
offset ${SLICE_ROWS - 1}
limit 1`;

const SLICE = `r.import_uid = $1
  and (r.bucket, r.n) > ($2, $3)
  and (r.bucket, r.n) <= ($4, $5)
  and not ($6 and ${IS_LEFT})
  and exists (select from import i where i.uid = $1 and i.state not in ('checking', 'importing', 'undoing'))`;

const DROP_SLICE: Readonly<Record<Table, string>> = {
  import_row: `delete from import_row r where ${SLICE}`,
  import_change: `delete from import_change r where ${SLICE}`,
  import_profile: `delete from import_profile r where ${SLICE}`,
};

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
  await dropRows(deps, "import_row", await deps.db.query<EndedImport>(ENDED_ROWS, [days(UNDO_DAYS), days(MOVED_DAYS)]));
  await dropRows(deps, "import_change", await deps.db.query<EndedImport>(ENDED_CHANGES, [days(UNDO_DAYS)]));
  await dropRows(deps, "import_profile", await deps.db.query<EndedImport>(ENDED_PROFILES));
  return given;
}

interface EndedImport {
  readonly uid: string;
  /** Rows that an undoing left stay. */
  readonly keepsLeft: boolean;
}

interface RowPlace {
  readonly bucket: number;
  readonly n: number;
}

const BEFORE_FIRST: RowPlace = { bucket: -1, n: 0 };
const BEHIND_LAST: RowPlace = { bucket: 256, n: 0 };

/** Removes the rows of imports, walking through them once: each slice begins behind the last one, so that rows that stay are not read again. */
async function dropRows({ db }: Pick<Deps, "db">, table: Table, imports: readonly EndedImport[]): Promise<void> {
  for (const { uid, keepsLeft } of imports) {
    for (let after = BEFORE_FIRST; after !== BEHIND_LAST; ) {
      const [end = BEHIND_LAST] = await db.query<RowPlace>(SLICE_END(table), [uid, after.bucket, after.n]);
      await db.execute(DROP_SLICE[table], [uid, after.bucket, after.n, end.bucket, end.n, keepsLeft]);
      after = end;
    }
  }
}
