import type { Deps } from "../../deps.ts";
import type { CsvImport } from "../csv-import.ts";
import { selectImportPiece } from "../queries.ts";
import { decoderOf } from "./encoding.ts";
import { createSplitter, type SplitRow, type Unreadable } from "./splitter.ts";

/** A row of the file: `n` counts rows that are neither the header nor empty, from 1. */
export interface FileRow extends SplitRow {
  readonly n: number;
}

/** The parsed parts of a file: rows; and at most once, at the end, why the rest cannot be read. */
export type FileRows = readonly FileRow[] | UnreadableFile;

export interface UnreadableFile {
  /** `could_not_be_read`: repeated attempts made no progress. */
  readonly code: Unreadable["code"] | "not_this_encoding" | "could_not_be_read";
  readonly line: number;
}

/** Reads an import's file from the database, piece by piece in constant memory. */
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
