import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { checkCurrentPassword } from "./check-current-password.ts";
import { checkTotpCode } from "./check-totp-code.ts";
import { hashToken } from "./session.ts";
import type { Staff } from "./staff.ts";

/** What somebody who is signed in gives to confirm that it is them. */
export interface Confirmation {
  readonly token: string;
  readonly password?: string | undefined;
  /** Of the second factor, instead of the password. */
  readonly code?: string | undefined;
}

/**
 * Confirms a session: what matters most may be done in it for five minutes. 422 naming the field that is wrong or missing, 429 after too
 * many wrong ones.
 */
export async function confirmSession(
  deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">,
  { uid }: Staff,
  { token, password, code }: Confirmation,
): Promise<void> {
  if (code !== undefined) await checkTotpCode(deps, uid, code);
  else if (password !== undefined) await checkCurrentPassword(deps, uid, { password, field: "password" });
  else throw invalid("/password", "is required: expected the password of now");
  await deps.db.execute("update staff_session set confirmed_at = $2 where token_sha256 = $1", [
    hashToken(token),
    deps.clock.now(),
  ]);
}
