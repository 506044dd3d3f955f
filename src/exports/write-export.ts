import type { ReadDb } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { clearPieces, type ExportLease, insertPiece } from "./lease-queries.ts";
import { gatherPieces } from "./pieces.ts";
import { STATEMENT_HEADER, statementLines } from "./statement-lines.ts";

const PIECE_BYTES = 262_144;

export interface WrittenFile {
  readonly rows: number;
  readonly bytes: number;
  readonly pieces: number;
}

/**
 * Writes the file of an export into the database, piece by piece as its lines stream in from `source`, the database or a replica: all from
 * one snapshot, with constant memory (program.md 2). Returns null if the lease was lost or `signal` aborted: nothing more is written then.
 */
export async function writeExport(
  deps: Pick<Deps, "db" | "clock">,
  source: ReadDb,
  lease: ExportLease,
  signal: AbortSignal,
): Promise<WrittenFile | null> {
  await clearPieces(deps.db, lease);
  const gatherer = gatherPieces(PIECE_BYTES);
  const file = { rows: 0, bytes: 0, pieces: 0 };
  let writing = Promise.resolve(true);
  /** Begins to write a piece when the previous one is written; returns whether the lease was still held then. */
  async function keep(piece: Buffer): Promise<boolean> {
    if (!(await writing)) return false;
    file.bytes += piece.length;
    writing = insertPiece(deps.db, lease, file.pieces++, piece);
    writing.catch(() => {}); // seen with the next piece, or at the end
    return true;
  }
  try {
    gatherer.add(STATEMENT_HEADER);
    for await (const lines of statementLines({ db: source, clock: deps.clock }, lease)) {
      file.rows += lines.length;
      const piece = gatherer.add(lines.join(""));
      if (piece !== null && !(await keep(piece))) return null;
      if (signal.aborted) return null;
    }
    const rest = gatherer.rest();
    if (rest !== null && !(await keep(rest))) return null;
    return (await writing) ? file : null;
  } finally {
    await writing.catch(() => {}); // a file that is begun again must not meet a piece of this one
  }
}
