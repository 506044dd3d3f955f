import type { Tx } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import { hashToken, type OwnSession } from "./session.ts";

/**
 * Locks somebody who gives their account another way in, first in the transaction: 401 where the session in which they do has ended meanwhile.
 * So a reset, a disabling or a removal of second factors leaves nothing that was asked for before it.
 */
export async function lockOwnSession(tx: Tx, { staffUid, token }: OwnSession): Promise<void> {
  await tx.query("select from staff where uid = $1 for update", [staffUid]);
  const [session] = await tx.query("select from staff_session where token_sha256 = $1 and staff_uid = $2", [
    hashToken(token),
    staffUid,
  ]);
  if (session === undefined) throw new Problem("unauthorized");
}
