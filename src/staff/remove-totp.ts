import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";

/** Turns a person's second factor off without a code: the telephone is lost. Ends their sessions. 404 for an unknown uid. */
export async function removeTotp(deps: Pick<Deps, "db">, uid: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const found = await tx.execute("update staff set totp_sealed = null, totp_draft_sealed = null where uid = $1", [
      uid,
    ]);
    if (found === 0) throw new Problem("not_found");
    await tx.execute("delete from staff_session where staff_uid = $1", [uid]);
  });
}
