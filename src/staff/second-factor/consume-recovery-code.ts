import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { countRecoveryCodes } from "../passkeys/passkey-queries.ts";
import { hashSetupCode } from "../setup-code.ts";

/** Whether a text is one of a person's recovery codes; a matching code is used up. */
export async function consumeRecoveryCode(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { staffUid, code }: { readonly staffUid: string; readonly code: string },
): Promise<boolean> {
  const text = "delete from staff_recovery_code where staff_uid = $1 and code_sha256 = $2";
  if ((await tx.execute(text, [staffUid, hashSetupCode(code)])) === 0) return false;
  const left = await countRecoveryCodes(tx, staffUid);
  const subject = { kind: "staff", id: staffUid };
  await recordAction(tx, deps, { action: "staff.recovery_code_used", subject, after: { left } });
  return true;
}
