import type { Queryable } from "../../db/pool.ts";
import type { Encoding, Separator } from "../../wire/import-fields.ts";
import { selectImportPiece } from "../queries.ts";
import { decoderOf } from "./encoding.ts";
import { createSplitter } from "./splitter.ts";

/** The length of the examined beginning of a file. */
const SAMPLE_CHARACTERS = 65_536;

/** Returns the first rows of a file, including the header; none if it cannot be read in that encoding. */
export async function readSample(
  queryable: Queryable,
  file: { readonly uid: string; readonly encoding: Encoding; readonly separator: Separator },
  count: number,
): Promise<(readonly string[])[]> {
  const piece = await selectImportPiece(queryable, file.uid, 0);
  if (piece === undefined) return [];
  const text = textOf(piece, file.encoding);
  if (text === null) return [];
  const splitter = createSplitter(file.separator);
  const whole = splitter.push(text.slice(0, SAMPLE_CHARACTERS));
  if (!Array.isArray(whole)) return [];
  const isAll = whole.length >= count || text.length > SAMPLE_CHARACTERS;
  const last = isAll ? [] : splitter.push("", true);
  return [...whole, ...(Array.isArray(last) ? last : [])].slice(0, count).map(({ cells }) => cells);
}

function textOf(piece: Buffer, encoding: Encoding): string | null {
  try {
    return decoderOf(encoding).decode(piece, { stream: true });
  } catch {
    return null;
  }
}
