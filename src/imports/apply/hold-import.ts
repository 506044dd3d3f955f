import type { Tx } from "../../db/pool.ts";

const HOLD = `update import
set waits_until = $2
where uid = $1`;

/**
 * Keeps a locked import as it is until a moment, for a second person to decide on its start or its undoing; null: it may be changed again.
 */
export async function holdImport(tx: Tx, uid: string, until: Temporal.Instant | null): Promise<void> {
  await tx.execute(HOLD, [uid, until]);
}
