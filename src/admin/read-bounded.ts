import type { Tx } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";

/** The time limit of a statement of a list, in milliseconds. */
const LIST_MS = 3_000;

/**
 * Reads in one snapshot whose statements are cancelled after three seconds, or after another time limit, for lists whose rare filters may have to
 * read very many rows. The database's error (`TIMEOUT_STATE`) is then answered with 503.
 */
export function readBounded<T>(
  deps: Pick<ReadDeps, "db">,
  work: (tx: Tx) => Promise<T>,
  limitMs: number = LIST_MS,
): Promise<T> {
  return deps.db.snapshot(async (tx) => {
    await tx.execute(`set local statement_timeout = ${limitMs}`);
    return work(tx);
  });
}
