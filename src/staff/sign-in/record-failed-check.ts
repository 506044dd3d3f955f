import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";

/** Records that a signed-in person entered a wrong password or code of their own, and the lockout that followed. */
export async function recordFailedCheck(
  deps: Pick<Deps, "db" | "clock">,
  staffUid: string,
  failed: { readonly field: "current_password" | "password" | "code" | "passkey"; readonly hasLocked: boolean },
): Promise<void> {
  const subject = { kind: "staff", id: staffUid };
  const after = { member: failed.field };
  await recordAction(deps.db, deps, { action: "staff.check_failed", subject, after });
  if (failed.hasLocked) await recordAction(deps.db, deps, { action: "staff.locked_out", subject });
}
