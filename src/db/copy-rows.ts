import type pg from "pg";
import type { BinaryRow } from "./binary-row.ts";
import { copyBinaryPieces } from "./copy-binary-pieces.ts";
import { SNAPSHOT } from "./stream-rows.ts";

// Statistics of single columns underestimate the number of rows that match in bucket and customer, which leads to an index lookup for each of a
// million rows. So rows are joined by hashing, with more memory than other statements have.
const PLAN_WHOLE_TABLES =
  "set local work_mem = '48MB'; set local enable_nestloop = off; set local enable_indexscan = off";

/** A statement whose rows are read in the binary form of COPY. */
export interface CopiedStatement {
  /** The caller's own text, without parameters. */
  readonly text: string;
  /** The number of its columns. */
  readonly fields: number;
  /** Called for each row, which is valid until this returns. */
  onRow(row: BinaryRow): void;
}

interface CopySession {
  /** Opens a connection outside the pool. */
  connect(): Promise<pg.Client>;
  /** A snapshot that another transaction exported; null: the present one. */
  readonly moment: string | null;
}

/**
 * Passes the rows of one statement over whole tables to `onRow`, in a read-only transaction on its own connection. Yields the number of
 * rows of each piece, and reads no further until the next one is requested. Unlike a cursor, COPY is planned with parallel workers.
 */
export async function* copyRows(
  { connect, moment }: CopySession,
  { text, fields, onRow }: CopiedStatement,
): AsyncGenerator<number> {
  const client = await connect();
  try {
    await client.query(SNAPSHOT);
    if (moment !== null) await client.query(`set transaction snapshot ${client.escapeLiteral(moment)}`);
    await client.query("set local statement_timeout = 0"); // one statement lasts as long as its reader takes
    await client.query(PLAN_WHOLE_TABLES);
    yield* copyBinaryPieces(client, text, fields, onRow);
    await client.query("commit");
  } finally {
    await client.end();
  }
}
