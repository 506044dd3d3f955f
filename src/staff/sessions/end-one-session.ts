import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";

/** Ends one session of a person. 404 for one that is not theirs or has ended. */
export async function endOneSession(
  deps: Pick<Deps, "db" | "clock">,
  { staffUid, uid }: { readonly staffUid: string; readonly uid: string },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const [ended] = await tx.query<{ address: string | null }>(
      "delete from staff_session where uid = $1 and staff_uid = $2 returning address",
      [uid, staffUid],
    );
    if (ended === undefined) throw new Problem("not_found");
    const subject = { kind: "staff", id: staffUid };
    await recordAction(tx, deps, { action: "staff.session_ended", subject, after: { address: ended.address } });
  });
}
