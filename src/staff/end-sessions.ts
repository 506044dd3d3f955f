import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";

/** Signs a person out everywhere; answers how many sessions that ended. */
export async function endSessions(tx: Tx, deps: Pick<Deps, "clock">, staffUid: string): Promise<number> {
  const sessions = await tx.execute("delete from staff_session where staff_uid = $1", [staffUid]);
  await recordAction(tx, deps, {
    action: "staff.signed_out_everywhere",
    subject: { kind: "staff", id: staffUid },
    after: { sessions },
  });
  return sessions;
}
