import type { Deps } from "../../deps.ts";
import type { CsvImport } from "../csv-import.ts";
import { selectImportPiece } from "../queries.ts";
import { decoderOf } from "./encoding.ts";
import { createSplitter, type SplitRow, type Unreadable } from "./splitter.ts";

/** A row of the file: `n` counts those that are no header and not empty, from 1. */
export interface FileRow extends SplitRow {
  readonly n: number;
}

/** What comes out of a file: rows; at most once, and last, why the rest of it cannot be read. */
export type FileRows = readonly FileRow[] | UnreadableFile;

export interface UnreadableFile {
  /** `could_not_be_read`: it was tried again and again, and nothing of it was done. */
  readonly code: Unreadable["code"] | "not_this_encoding" | "could_not_be_read";
  readonly line: number;
}

/** Reads an import's file from the database, piece by piece with constant memory. */
export async function* readRows(
  deps: Pick<Deps, "db">,
  file: Pick<CsvImport, "uid" | "pieceCount" | "encoding" | "separator" | "hasHeader">,
): AsyncGenerator<FileRows> {
  const decoder = decoderOf(file.encoding);
  const splitter = createSplitter(file.separator);
  const pieceCount = file.pieceCount ?? 0;
  const place = { n: file.hasHeader ? -1 : 0, line: 1 };
  for (let at = 0; at <= pieceCount; at++) {
    const bytes = at === pieceCount ? Buffer.alloc(0) : await selectImportPiece(deps.db, file.uid, at);
    if (bytes === undefined) throw new Error(`piece ${at} of import ${file.uid} is gone`);
    const text = decode(decoder, bytes, at < pieceCount);
    const rows = text === null ? null : splitter.push(text, at === pieceCount);
    if (rows === null || !Array.isArray(rows)) {
      yield rows ?? { code: "not_this_encoding", line: place.line };
      return;
    }
    const numbered = rows.map((row) => ({ ...row, n: ++place.n }));
    place.line = rows.at(-1)?.line ?? place.line;
    yield numbered[0]?.n === 0 ? numbered.slice(1) : numbered;
  }
}

function decode(decoder: TextDecoder, bytes: Buffer, isMore: boolean): string | null {
  try {
    return decoder.decode(bytes, { stream: isMore });
  } catch {
    return null;
  }
}
