import type { Tx } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";

/**
 * Reads in one snapshot whose statements are ended after three seconds: for lists where rare filters may have to look at very many rows. Throws
 * what is answered with 503 then.
 */
export function readBounded<T>(deps: Pick<ReadDeps, "db">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return deps.db.snapshot(async (tx) => {
    await tx.execute("set local statement_timeout = '3s'");
    return work(tx);
  });
}
