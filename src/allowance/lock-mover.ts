import type { Tx } from "../db/pool.ts";

const LOCK = "select pg_advisory_xact_lock(hashtextextended('staff-movement/' || $1, 0))";

/**
 * Lets one transaction at a time decide what a person may move, until it ends: to be called before the person's movements are read,
 * and before any row is locked.
 */
export async function lockMover(tx: Tx, staffUid: string): Promise<void> {
  await tx.execute(LOCK, [staffUid]);
}
