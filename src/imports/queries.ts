import type { Queryable, Tx } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import type { UploadKind } from "../wire/import-fields.ts";
import type { CsvImport, PhaseTotals } from "./csv-import.ts";
import { optionsCodec } from "./import-codecs.ts";
import type { IssuePhase, StoredIssue } from "./issue.ts";

const COLUMNS = `i.uid,
  i.kind,
  i.state,
  i.file_name as "fileName",
  i.created_at as "createdAt",
  i.created_by_uid as "createdByUid",
  i.created_by as "createdBy",
  i.byte_count as "byteCount",
  i.piece_count as "pieceCount",
  i.line_count as "lineCount",
  i.encoding,
  i.separator,
  i.has_header as "hasHeader",
  i.columns,
  i.options,
  i.keeps_changes as "keepsChanges",
  i.content_sha256 as "contentSha256",
  i.survey,
  i.error,
  i.unreadable_line as "unreadableLine",
  i.customer_count as "customerCount",
  i.warning_count as "warningCount",
  i.largest_points::text as "largestPoints",
  i.checked_by_uid as "checkedByUid",
  i.started_at as "startedAt",
  i.started_by_uid as "startedByUid",
  i.started_by as "startedBy",
  i.finished_at as "finishedAt",
  i.undone_at as "undoneAt",
  i.undone_by as "undoneBy",
  i.waits_until as "waitsUntil",
  i.attempts`;

const SELECT_IMPORT = `select ${COLUMNS}
from import i
where i.uid = $1`;

const LOCK_IMPORT = `${SELECT_IMPORT}
for no key update of i`;

const SELECT_IMPORTS = `select ${COLUMNS}
from import i
where i.state <> 'uploading'
  and ($1::uuid is null or (i.created_at, i.uid) < (select b.created_at, b.uid from import b where b.uid = $1))
  and ($3::text is null
    or position(search_fold($3) in search_fold(i.file_name)) > 0
    or position(search_fold($3) in search_fold(i.created_by)) > 0)
order by i.created_at desc, i.uid desc
limit $2`;

const SELECT_SAME = `select ${COLUMNS}
from import i
where i.content_sha256 = $2
  and (i.kind = $1 or (i.kind = 'move' and $1 in ('points', 'spend')) or ($1 = 'move' and i.kind in ('points', 'spend')))
  and (i.state in ('uploaded', 'checking', 'checked', 'importing', 'undoing')
    or (i.state = 'imported' and i.kind <> 'customers'))`;

const SELECT_MOVE = `select ${COLUMNS}
from import i
where i.options -> 'move' ->> 'uid' = $1
  and i.state not in ('uploading', 'given_up', 'undone')
order by i.created_at, i.uid`;

const SELECT_MOVE_OF_TIME = `select *
from (
  select distinct on (i.kind) ${COLUMNS}
  from import i
  where i.options -> 'move' ->> 'uid' = $1
    and i.state not in ('uploading', 'given_up')
    and i.created_at <= $3
    and (i.state <> 'undone' or i.undone_at >= $2)
  order by i.kind, i.created_at desc, i.uid) i
order by i."createdAt", i.uid`;

const SELECT_LAST_UNDONE = `select *
from (
  select distinct on (i.kind) ${COLUMNS}
  from import i
  where i.options -> 'move' ->> 'uid' = $1
    and i.state = 'undone'
  order by i.kind, i.created_at desc, i.uid) i
order by i."createdAt", i.uid`;

const SELECT_TOTALS = `select s.import_uid as "importUid",
  s.phase,
  sum(s.row_count)::bigint as "rowCount",
  sum(s.good_count)::bigint as "validCount",
  sum(s.created_count)::bigint as "createdCount",
  sum(s.changed_count)::bigint as "changedCount",
  sum(s.points_added)::text as "pointsAdded",
  sum(s.points_taken)::text as "pointsTaken"
from import_step s
where s.import_uid = any($1::uuid[])
group by s.import_uid, s.phase`;

const SELECT_ISSUES = `select f.n,
  f.line,
  f.code,
  f.member as field,
  f.value
from import_fault f
where f.import_uid = $1
  and f.phase = $2
  and (f.n, f.code) > ($3, $4)
order by f.n, f.code
limit $5`;

const SELECT_PIECE = `select p.bytes
from import_piece p
where p.import_uid = $1
  and p.n = $2`;

const HOLD_IMPORT = `update import
set waits_until = $2
where uid = $1`;

/** Sums are texts, because they may exceed a bigint. */
interface RawImport extends Omit<CsvImport, "largestPoints" | "options"> {
  readonly options: unknown;
  readonly largestPoints: string | null;
}

interface RawTotals extends Omit<PhaseTotals, "pointsAdded" | "pointsTaken"> {
  readonly importUid: string;
  readonly pointsAdded: string;
  readonly pointsTaken: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the import with a uid. Throws `import_not_found` (404) for any other text. */
export async function selectImport(queryable: Queryable, uid: string): Promise<CsvImport> {
  return one(UUID.test(uid) ? await queryable.query<RawImport>(SELECT_IMPORT, [uid]) : []);
}

/** The same, locked until the transaction ends. */
export async function lockImport(queryable: Queryable, uid: string): Promise<CsvImport> {
  return one(UUID.test(uid) ? await queryable.query<RawImport>(LOCK_IMPORT, [uid]) : []);
}

function one([row]: readonly RawImport[]): CsvImport {
  if (row === undefined) throw new Problem("import_not_found");
  return importOf(row);
}

function importOf({ largestPoints, options, ...row }: RawImport): CsvImport {
  return {
    ...row,
    options: optionsCodec.decode(options),
    largestPoints: largestPoints === null ? null : BigInt(largestPoints),
  };
}

/** The part of a list of imports. */
interface ImportsPart {
  /** The uid of the import after which it begins. */
  readonly after: string | null;
  /** A part of the file's name, or of the name of the person who uploaded it. */
  readonly text: string | null;
  readonly limit: number;
}

/** Returns imports, newest first. */
export async function selectImports(queryable: Queryable, { after, text, limit }: ImportsPart): Promise<CsvImport[]> {
  const isUnreadable = after !== null && !UUID.test(after);
  const rows = isUnreadable ? [] : await queryable.query<RawImport>(SELECT_IMPORTS, [after, limit, text]);
  return rows.map(importOf);
}

/** Returns the import that has used a content for the same purpose as `kind`; undefined: none has, or no longer. */
export async function selectSameContent(
  queryable: Queryable,
  kind: UploadKind,
  sha256: Buffer,
): Promise<CsvImport | undefined> {
  const [row] = await queryable.query<RawImport>(SELECT_SAME, [kind, sha256]);
  return row === undefined ? undefined : importOf(row);
}

/** Returns the existing imports of a move from another app, in order. */
export async function selectMoveImports(queryable: Queryable, moveUid: string): Promise<CsvImport[]> {
  return (await queryable.query<RawImport>(SELECT_MOVE, [moveUid])).map(importOf);
}

/**
 * The same including those that were undone since `from`, the last of each kind: the same file may have been imported and undone before, or, after
 * `to`, again. When they were undone has no upper bound: they are undone one after the other, and not by the clock that gave `to`.
 */
export async function selectMoveImportsOfTime(
  queryable: Queryable,
  moveUid: string,
  { from, to }: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
): Promise<CsvImport[]> {
  return (await queryable.query<RawImport>(SELECT_MOVE_OF_TIME, [moveUid, from, to])).map(importOf);
}

/** The same for a move that was undone and not imported again since: the last imports of each kind. */
export async function selectLastUndone(queryable: Queryable, moveUid: string): Promise<CsvImport[]> {
  return (await queryable.query<RawImport>(SELECT_LAST_UNDONE, [moveUid])).map(importOf);
}

/** Returns the counts of some imports, by uid. */
export async function selectTotals(
  queryable: Queryable,
  uids: readonly string[],
): Promise<Map<string, readonly PhaseTotals[]>> {
  const rows = await queryable.query<RawTotals>(SELECT_TOTALS, [uids]);
  const totals = rows.map(({ pointsAdded, pointsTaken, ...row }) => ({
    ...row,
    pointsAdded: BigInt(pointsAdded),
    pointsTaken: BigInt(pointsTaken),
  }));
  return Map.groupBy(totals, ({ importUid }) => importUid);
}

/** The position in a list of issues: after a row's issue with a code. */
export interface IssuePlace {
  readonly n: number;
  readonly code: string;
}

export const FIRST_ISSUE: IssuePlace = { n: 0, code: "" };

/** Returns the issues of a phase, by row. */
export function selectIssues(
  queryable: Queryable,
  { uid, phase, after, limit }: { uid: string; phase: IssuePhase; after: IssuePlace; limit: number },
): Promise<StoredIssue[]> {
  return queryable.query<StoredIssue>(SELECT_ISSUES, [uid, phase, after.n, after.code, limit]);
}

/** Returns one piece of an import's file, from 0. */
export async function selectImportPiece(queryable: Queryable, uid: string, n: number): Promise<Buffer | undefined> {
  const rows = await queryable.query<{ bytes: Buffer }>(SELECT_PIECE, [uid, n]);
  return rows[0]?.bytes;
}

/** Blocks changes of a locked import until a moment, so that a second person can decide its start or its undoing; null: it may be changed again. */
export async function holdImport(tx: Tx, uid: string, until: Temporal.Instant | null): Promise<void> {
  await tx.execute(HOLD_IMPORT, [uid, until]);
}

/** The natural keys of imported rows, which no other posting of type `csv` has. */
const IMPORT_KEY = "^csv/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/";

/**
 * SQL for two columns of allotments under an alias: `note`, and `actor`, the person who requested it. For an imported row that is who started the
 * import, which only the import stores. `join` is both joins.
 */
export function allotmentNotes(
  alias: "a" | "t",
): Record<"note" | "actor" | "join" | "joinNote" | "joinImport", string> {
  const joinNote = `left join allotment_note n on n.bucket = ${alias}.bucket and n.customer_uid = ${alias}.customer_uid and n.version = ${alias}.version`;
  const joinImport = `left join import ni on ni.uid = case when ${alias}.source_key ~ '${IMPORT_KEY}' then split_part(${alias}.source_key, '/', 2)::uuid end`;
  return {
    note: "n.note",
    actor: "coalesce(n.actor, ni.started_by)",
    ...{ joinNote, joinImport, join: `${joinNote}\n${joinImport}` },
  };
}
