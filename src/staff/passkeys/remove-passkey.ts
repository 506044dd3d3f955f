import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { LOCK_OWNERS } from "../queries.ts";
import { requireSignInMethod } from "../sign-in/require-sign-in-method.ts";
import { endIdleCodes } from "./passkey-queries.ts";

/** Removes one of a person's own passkeys. 404 for one that is not theirs, 409 where they could not sign in any more. */
export async function removePasskey(
  deps: Pick<Deps, "db">,
  staffUid: string,
  { uid }: { readonly uid: string },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    const removed = await tx.execute("delete from staff_passkey where uid = $1 and staff_uid = $2", [uid, staffUid]);
    if (removed === 0) throw new Problem("not_found");
    await endIdleCodes(tx, staffUid);
    await requireSignInMethod(tx, staffUid);
  });
}
