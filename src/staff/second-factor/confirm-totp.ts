import type { Deps } from "../../deps.ts";
import { invalid } from "../../problems.ts";
import { checkCurrentPassword } from "../passwords/check-current-password.ts";
import { lockOwnSession } from "../sessions/lock-own-session.ts";
import { countAttempt, deleteFailures } from "../sign-in/attempt-queries.ts";
import { PERSON_RULE } from "../sign-in/lockout.ts";
import { recordFailedCheck } from "../sign-in/record-failed-check.ts";
import type { Staff } from "../staff.ts";
import { consumeTotpCode } from "./consume-totp-code.ts";

/**
 * Turns the second factor on with the password and a code of the secret from `beginTotp`. A person without a password has confirmed the
 * session in another way, which the caller checks. 422 for a wrong password or code, or where `beginTotp` was not called; 429 after too
 * many, 401 of `lockOwnSession`.
 */
export async function confirmTotp(
  deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">,
  { uid, hasPassword }: Staff,
  {
    code,
    currentPassword,
    token,
  }: { readonly code: string; readonly currentPassword: string | undefined; readonly token: string },
): Promise<void> {
  if (hasPassword && currentPassword === undefined)
    throw invalid("/current_password", "is required: expected your current password");
  if (currentPassword !== undefined)
    await checkCurrentPassword(deps, uid, { password: currentPassword, field: "current_password" });
  const key = `account/${uid}`;
  const { hasLocked } = await countAttempt(deps, [{ key, rule: PERSON_RULE }]);
  const isOn = await deps.db.tx(async (tx) => {
    await lockOwnSession(tx, { staffUid: uid, token });
    const [row] = await tx.query<{ draft: Buffer | null }>(
      "select totp_draft_sealed as draft from staff where uid = $1",
      [uid],
    );
    const draft = row?.draft ?? null;
    if (draft === null) throw invalid("", "no second factor was begun");
    if (!(await consumeTotpCode(tx, deps, { staffUid: uid, sealed: draft, code }))) return false;
    await tx.execute("update staff set totp_sealed = totp_draft_sealed, totp_draft_sealed = null where uid = $1", [
      uid,
    ]);
    return true;
  });
  if (!isOn) {
    await recordFailedCheck(deps, uid, { field: "code", hasLocked });
    throw invalid("/code", "is not the code that the app shows now");
  }
  await deleteFailures(deps.db, key);
}
