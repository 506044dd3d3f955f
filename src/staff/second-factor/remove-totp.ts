import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { recordAccessChange } from "../access-queries.ts";
import { selectStaff } from "../queries.ts";

/** Removes all second factors of a person without a code, because the telephone is lost. Ends their sessions. 404 for an unknown uid. */
export async function removeTotp(deps: Pick<Deps, "db" | "clock" | "random">, uid: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const staff = await selectStaff(tx, uid);
    if (staff === undefined) throw new Problem("not_found");
    await tx.execute("update staff set totp_sealed = null, totp_draft_sealed = null where uid = $1", [uid]);
    await tx.execute("delete from staff_passkey where staff_uid = $1", [uid]);
    await tx.execute("delete from staff_recovery_code where staff_uid = $1", [uid]);
    await tx.execute("delete from staff_session where staff_uid = $1", [uid]);
    await recordAccessChange(tx, deps, { kind: "totp_removed", staffUid: uid, role: staff.role });
  });
}
