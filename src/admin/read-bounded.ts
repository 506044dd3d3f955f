import type { Tx } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";

/**
 * Reads in one snapshot whose statements are cancelled after three seconds, for lists whose rare filters may have to read very many rows. The
 * database's error is then answered with 503.
 */
export function readBounded<T>(deps: Pick<ReadDeps, "db">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return deps.db.snapshot(async (tx) => {
    await tx.execute("set local statement_timeout = '3s'");
    return work(tx);
  });
}
