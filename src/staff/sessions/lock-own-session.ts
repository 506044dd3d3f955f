import type { Tx } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { hashToken, type OwnSession } from "./session.ts";

/**
 * Locks the row of a person who adds a way to sign in to their account, as the first step of the transaction. 401 where their session has
 * ended meanwhile, so that after a reset, a disabling or a removal of second factors, no earlier request can still add one.
 */
export async function lockOwnSession(tx: Tx, { staffUid, token }: OwnSession): Promise<void> {
  await tx.query("select from staff where uid = $1 for update", [staffUid]);
  const [session] = await tx.query("select from staff_session where token_sha256 = $1 and staff_uid = $2", [
    hashToken(token),
    staffUid,
  ]);
  if (session === undefined) throw new Problem("unauthorized");
}
