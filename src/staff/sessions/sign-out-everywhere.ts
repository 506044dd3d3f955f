import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { selectStaff } from "../queries.ts";

/** Ends every session of a person. 404 for an unknown uid. */
export async function signOutEverywhere(deps: Pick<Deps, "db" | "clock">, uid: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    if ((await selectStaff(tx, uid)) === undefined) throw new Problem("not_found");
    const sessions = await tx.execute("delete from staff_session where staff_uid = $1", [uid]);
    await recordAction(tx, deps, {
      action: "staff.signed_out_everywhere",
      subject: { kind: "staff", id: uid },
      after: { sessions },
    });
  });
}
