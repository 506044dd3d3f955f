import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type BinaryRow, readInt32 } from "./binary-row.ts";

/** The signature, two numbers of four bytes, and an extension whose length is the second number. */
const HEADER_BYTES = 19;
const END_OF_ROWS = -1;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;

/**
 * Passes each row of a query to `onRow`, in the binary form of COPY, at a tenth of the cost of the driver's rows. The query is the caller's
 * own text, without parameters. Yields the number of rows of each piece that arrived; reads no further until the next one is requested.
 */
export async function* copyBinaryPieces(
  client: pg.Client,
  query: string,
  fields: number,
  onRow: (row: BinaryRow) => void,
): AsyncGenerator<number> {
  const row: BinaryRow = { bytes: Buffer.alloc(0), starts: new Int32Array(fields), lengths: new Int32Array(fields) };
  let rest: Buffer = Buffer.alloc(0);
  let isBegun = false;
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout (format binary)`))) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    let rows = 0;
    if (!isBegun && bytes.length >= HEADER_BYTES) {
      at = HEADER_BYTES + bytes.readInt32BE(HEADER_BYTES - LENGTH_BYTES);
      isBegun = true;
    }
    row.bytes = bytes;
    for (let end = readRow(row, at); isBegun && end !== null; end = readRow(row, at)) {
      at = end;
      rows++;
      onRow(row);
    }
    rest = bytes.subarray(at);
    yield rows;
  }
}

/** Returns the end of the row at a position; null: it is incomplete, or there is none. */
function readRow({ bytes, starts, lengths }: BinaryRow, from: number): number | null {
  if (from + COUNT_BYTES > bytes.length) return null;
  const count = bytes.readInt16BE(from);
  if (count === END_OF_ROWS) return null;
  if (count !== starts.length) throw new Error(`a row has ${count} fields, not ${starts.length}`);
  let at = from + COUNT_BYTES;
  for (let i = 0; i < count; i++) {
    if (at + LENGTH_BYTES > bytes.length) return null;
    const length = readInt32(bytes, at);
    at += LENGTH_BYTES;
    starts[i] = at;
    lengths[i] = length;
    if (length > 0) at += length;
  }
  return at > bytes.length ? null : at;
}
