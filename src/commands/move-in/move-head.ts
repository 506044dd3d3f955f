import { createHash } from "node:crypto";
import { probeEncoding } from "../../imports/read/encoding.ts";
import { createSplitter, type Unreadable } from "../../imports/read/splitter.ts";
import { type MemberFile, type MemberFileHead, UnreadableFileError } from "../../moving-in/member-file.ts";
import { SEPARATORS, type Separator } from "../../wire/import-fields.ts";

/** More than a row may have. */
const HEAD_BYTES = 262_144;

/**
 * Reads a complete file once for its encoding, its digest and its first row. Throws UnreadableFileError for an empty file, and for a first row
 * without an end.
 */
export async function readMoveHead(file: MemberFile): Promise<MemberFileHead> {
  const probe = probeEncoding();
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of file.open()) {
    probe.add(piece);
    hash.update(piece);
    if (bytes < HEAD_BYTES) head.push(piece);
    bytes += piece.length;
  }
  const encoding = probe.encoding();
  const text = new TextDecoder(encoding).decode(Buffer.concat(head).subarray(0, HEAD_BYTES));
  const [widest] = SEPARATORS.map((separator) => firstRow(text, separator, bytes <= HEAD_BYTES)).toSorted(
    (a, b) => b.header.length - a.header.length,
  );
  if (widest === undefined || widest.header.length === 0)
    throw new UnreadableFileError(widest?.unreadable ?? "empty", 1);
  const { separator, header } = widest;
  return { encoding, separator, header, sha256: hash.digest(), lineCount: probe.lineCount() };
}

interface FirstRow {
  readonly separator: Separator;
  readonly header: readonly string[];
  readonly unreadable?: Unreadable["code"];
}

function firstRow(text: string, separator: Separator, isWhole: boolean): FirstRow {
  const splitter = createSplitter(separator);
  const rows = splitter.push(text);
  const found = Array.isArray(rows) && rows.length === 0 && isWhole ? splitter.push("", true) : rows;
  if (!Array.isArray(found)) return { separator, header: [], unreadable: found.code };
  return { separator, header: found[0]?.cells ?? [] };
}
