import { createHash } from "node:crypto";
import { recordAction } from "../audit/record-action.ts";
import { isUniqueViolation, type Queryable, type Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { publishWatermark } from "../ledger/settled-mark/publish-watermark.ts";
import { Problem } from "../problems.ts";
import { formatInstant } from "../time/store-time.ts";
import { type Encoding, SEPARATORS, type Separator, type UploadKind } from "../wire/import-fields.ts";
import { UPLOAD_BYTES_MAX, UPLOAD_MB_MAX } from "../wire/split-command.ts";
import type { CsvImport, Reading, StaffPerson } from "./csv-import.ts";
import { optionsCodec } from "./import-codecs.ts";
import { selectImport, selectMoveImports, selectSameContent } from "./queries.ts";
import { type Columns, columnsByPosition, recogniseColumns } from "./read/columns.ts";
import { probeEncoding } from "./read/encoding.ts";
import { readSample } from "./read/read-sample.ts";
import type { ImportOptions } from "./read/row-values.ts";

/** The error for a file that is too large, with the solution. */
export const FILE_TOO_LARGE = `expected a file of at most ${UPLOAD_MB_MAX} MB: split it, each part with the first line, and import the parts one after the other (docs/moving-in.md has the command)`;
const PIECE_BYTES = 262_144;

export interface Upload {
  readonly kind: UploadKind;
  /** The name on the person's machine. */
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly by: StaffPerson;
  /** Options that are decided before the check. */
  readonly options?: ImportOptions;
  /** Recognizes the columns of a first row, if the kind's own names do not. */
  readonly recognise?: (firstRow: readonly string[]) => { readonly columns: Columns; readonly options: ImportOptions };
}

const INSERT = `insert into import (uid, kind, file_name, created_at, created_by_uid, created_by, options)
values ($1, $2, $3, $4, $5, $6, $7::text::jsonb)`;

const INSERT_PIECE = `insert into import_piece (import_uid, n, bytes)
values ($1, $2, $3)`;

const FINISH = `update import
set state = 'uploaded',
  content_sha256 = $2,
  byte_count = $3,
  piece_count = $4,
  line_count = $5,
  encoding = $6,
  separator = $7,
  has_header = $8,
  columns = $9::text::jsonb,
  options = coalesce($10::text::jsonb, options)
where uid = $1`;

const LOCK_MOVE = "select pg_advisory_xact_lock(hashtextextended('pointkeeper move/' || $1, 0))";

const DROP_PIECES = "delete from import_piece where import_uid = $1";
const DROP = "delete from import where uid = $1 and state = 'uploading'";

/**
 * Stores a file in the database as it streams in, piece by piece, so that any node can continue with it. Throws `import_exists` (409, with who and
 * when) if the same content, used for the same purpose, waits, runs or was imported (customers may be imported again, since the file only repeats its
 * values), and if it is a part of another app's file and another call has stored this part; `body_too_large` (413), `invalid` (422) for an empty file;
 * then nothing is stored.
 */
export async function storeUpload(deps: Pick<Deps, "db" | "clock" | "random">, upload: Upload): Promise<CsvImport> {
  const { kind, fileName, by } = upload;
  const uid = deps.random.uid();
  const options = upload.options === undefined ? "{}" : JSON.stringify(optionsCodec.encode(upload.options));
  const now = deps.clock.now();
  if (isComparedWithMerges(upload)) await publishWatermark(deps.db, now); // merges since the upload are found by their time
  await deps.db.execute(INSERT, [uid, kind, fileName, now, by.uid, by.name, options]);
  try {
    const kept = await keepPieces(deps, uid, upload.bytes);
    if (kept.bytes === 0) throw new Problem("invalid", { faults: [{ detail: "expected a file with rows" }] });
    await finish(deps, uid, upload, kept);
  } catch (error) {
    // It may be stored nevertheless: the error may have concerned only the response to the commit.
    if ((await deps.db.execute(DROP, [uid])) === 1) await deps.db.execute(DROP_PIECES, [uid]);
    throw error;
  }
  return selectImport(deps.db, uid);
}

/** Whether it matters which merges came after an upload. For a part of another app's file, it is the upload of that file that counts. */
function isComparedWithMerges({ kind, options }: Pick<Upload, "kind" | "options">): boolean {
  return kind === "move" || ((kind === "points" || kind === "tiers") && (options?.move ?? null) === null);
}

type Kept = Awaited<ReturnType<typeof keepPieces>>;

async function keepPieces(deps: Pick<Deps, "db">, uid: string, bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  const probe = probeEncoding();
  let gathered: Uint8Array[] = [];
  const count = { bytes: 0, gathered: 0, pieces: 0 };
  async function flush(): Promise<void> {
    if (count.gathered === 0) return;
    const piece = Buffer.concat(gathered);
    gathered = [];
    count.gathered = 0;
    probe.add(piece);
    await deps.db.execute(INSERT_PIECE, [uid, count.pieces++, piece]);
  }
  for await (const chunk of bytes) {
    hash.update(chunk);
    gathered.push(chunk);
    count.bytes += chunk.length;
    count.gathered += chunk.length;
    if (count.bytes > UPLOAD_BYTES_MAX) throw new Problem("body_too_large", { faults: [{ detail: FILE_TOO_LARGE }] });
    if (count.gathered >= PIECE_BYTES) await flush();
  }
  await flush();
  const { bytes: byteCount, pieces } = count;
  return { bytes: byteCount, pieces, sha256: hash.digest(), encoding: probe.encoding(), lines: probe.lineCount() };
}

async function finish(
  deps: Pick<Deps, "db" | "clock">,
  uid: string,
  { kind, recognise, options: given }: Pick<Upload, "kind" | "recognise" | "options">,
  { bytes, pieces, sha256, encoding, lines }: Kept,
): Promise<void> {
  const { separator, firstRow } = await guessSeparator(deps.db, { uid, encoding });
  const known = recognise?.(firstRow) ?? null;
  const { hasHeader, columns } = known === null ? columnsOfRow(kind, firstRow) : { hasHeader: true, ...known };
  const options = known === null ? null : JSON.stringify(optionsCodec.encode(known.options));
  try {
    await deps.db.tx(async (tx) => {
      if (given !== undefined && given.move !== null) await refuseSecondPart(tx, kind, given.move.uid);
      const read = [encoding, separator, hasHeader, JSON.stringify(columns)];
      await tx.execute(FINISH, [uid, sha256, bytes, pieces, lines, ...read, options]);
      const after = { kind, bytes, sha256: sha256.toString("hex") };
      await recordAction(tx, deps, { action: "import.uploaded", subject: { kind: "import", id: uid }, after });
    });
  } catch (error) {
    const same = isUniqueViolation(error) ? await selectSameContent(deps.db, kind, sha256) : undefined;
    throw same === undefined ? error : sameContent(same);
  }
}

/**
 * A file of another app has each part once. Two calls at the same time may have found different customers for its rows: their parts then differ, and
 * each would give the points.
 */
async function refuseSecondPart(tx: Tx, kind: UploadKind, moveUid: string): Promise<void> {
  await tx.execute(LOCK_MOVE, [moveUid]);
  const part = (await selectMoveImports(tx, moveUid)).find((one) => one.kind === kind);
  if (part === undefined) return;
  const detail = `expected one import of this file at a time: ${part.createdBy} began it at ${formatInstant(part.createdAt)}. When that is over, the same again goes on from there`;
  throw new Problem("import_exists", { faults: [{ pointer: `/imports/${part.uid}`, detail }] });
}

/** The pointer names the import, which the dashboard reads. */
function sameContent({ uid, fileName, createdBy, createdAt }: CsvImport): Problem {
  const who = `${createdBy} uploaded this content as ${fileName} at ${formatInstant(createdAt)}`;
  const detail = `expected another file: ${who}. Undo that import, or give it up, to import it again`;
  return new Problem("import_exists", { faults: [{ pointer: `/imports/${uid}`, detail }] });
}

/** Guesses the separator of a new file: the one that makes most columns. */
async function guessSeparator(
  queryable: Queryable,
  file: { readonly uid: string; readonly encoding: Encoding },
): Promise<{ readonly separator: Separator; readonly firstRow: readonly string[] }> {
  const candidates = await Promise.all(
    SEPARATORS.map(async (separator) => {
      const [firstRow = []] = await readSample(queryable, { ...file, separator }, 1);
      return { separator, firstRow };
    }),
  );
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error("there is no separator");
  return others.reduce((a, b) => (b.firstRow.length > a.firstRow.length ? b : a), first);
}

/** Returns the columns of a file in the service's own format: by the names in its first row, or by position. */
function columnsOfRow(kind: UploadKind, firstRow: readonly string[]): Pick<Reading, "hasHeader" | "columns"> {
  const named = recogniseColumns(kind, firstRow);
  return { hasHeader: named !== null, columns: named ?? columnsByPosition(kind, firstRow.length) };
}
