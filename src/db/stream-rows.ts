import type pg from "pg";
import { encodeParam, type Param } from "./encode-param.ts";

/** Begins a transaction that reads one snapshot. */
export const SNAPSHOT = "begin isolation level repeatable read read only";
const PIECE_ROWS = 1_000;
/** The time limit of a piece, if statements have one: the first piece arrives when all rows are sorted. */
const PIECE_MS = 600_000;

export interface StreamOptions {
  /** The maximum number of rows at a time; 1,000 if absent. */
  readonly pieceRows?: number;
}

interface StreamedStatement extends StreamOptions {
  readonly text: string;
  readonly params: readonly Param[];
  /** Whether statements have a time limit, which a stream does not have. */
  readonly isTimed: boolean;
}

/** Streams the rows of one statement in its own read-only transaction. */
export async function* streamRows<Row extends object>(
  pool: pg.Pool,
  options: StreamedStatement,
): AsyncGenerator<Row[]> {
  const client = await pool.connect();
  let failed: Error | undefined;
  const onError = (error: Error) => {
    failed = error;
  };
  client.on("error", onError); // between two pieces nobody waits for the connection: its end would be uncaught
  try {
    await client.query(SNAPSHOT);
    yield* fetchPieces<Row>(client, options);
    await client.query("commit");
  } catch (error) {
    failed = error as Error; // cast: pg rejects with Error only
    throw error;
  } finally {
    if (failed === undefined) {
      await client.query("rollback").catch((error: Error) => {
        failed = error;
      });
    }
    client.off("error", onError);
    client.release(failed);
  }
}

/**
 * Yields the rows of one statement, in the open transaction of a connection. Other statements, but no other stream, may run between two
 * pieces. While a piece is used, the next one is fetched.
 */
export async function* fetchPieces<Row extends object>(
  client: pg.PoolClient,
  { text, params, isTimed, pieceRows = PIECE_ROWS }: StreamedStatement,
): AsyncGenerator<Row[]> {
  if (isTimed) await client.query("set local statement_timeout = 0");
  const values = params.map((param) => encodeParam(param));
  await client.query({ text: `declare piece no scroll cursor for ${text}`, values });
  const piece = { text: `fetch ${pieceRows} from piece`, query_timeout: PIECE_MS };
  const fetchPiece = () => {
    const fetched = client.query(piece);
    fetched.catch(() => {}); // seen when it is awaited, unless the reader ends before
    return fetched;
  };
  for (let fetched = fetchPiece(); ; ) {
    const { rows } = await fetched;
    if (rows.length === 0) break;
    fetched = fetchPiece();
    yield rows as Row[]; // cast: the select list is the caller's own text
  }
  await client.query("close piece");
}
