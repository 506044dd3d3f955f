import type pg from "pg";
import type { BinaryRow } from "./binary-row.ts";
import { copyBinaryPieces } from "./copy-binary-pieces.ts";

/** Passes each row of a query to `onRow`, like `copyBinaryPieces`, without pauses. Returns the number of rows. */
export async function copyBinary(
  client: pg.Client,
  query: string,
  fields: number,
  onRow: (row: BinaryRow) => void,
): Promise<number> {
  let rows = 0;
  for await (const count of copyBinaryPieces(client, query, fields, onRow)) rows += count;
  return rows;
}
