import type { Deps } from "../../deps.ts";
import { invalid } from "../../problems.ts";
import { checkPasskey } from "../passkeys/check-passkey.ts";
import type { PasskeyAnswer } from "../passkeys/passkey-answer.ts";
import { checkCurrentPassword } from "../passwords/check-current-password.ts";
import { consumeTotpCode } from "../second-factor/consume-totp-code.ts";
import { countAttempt, countOwnCode, deleteFailures, resetOwnCodeCount } from "../sign-in/attempt-queries.ts";
import { PERSON_RULE } from "../sign-in/lockout.ts";
import { recordFailedCheck } from "../sign-in/record-failed-check.ts";
import type { Staff } from "../staff.ts";
import { hashToken } from "./session.ts";

/** What a signed-in person enters to confirm the session. */
export interface Confirmation {
  readonly token: string;
  readonly password?: string | undefined;
  /** A code of the second factor, instead of the password. */
  readonly code?: string | undefined;
  /** A passkey, instead of both. */
  readonly passkey?: PasskeyAnswer | undefined;
}

/**
 * Confirms a session, which allows the most sensitive actions for five minutes. 422 naming the field that is wrong or missing, 429 after too
 * many wrong ones.
 */
export async function confirmSession(
  deps: Pick<Deps, "db" | "clock" | "config" | "random" | "secretBox">,
  { uid }: Staff,
  { token, password, code, passkey }: Confirmation,
): Promise<void> {
  if (passkey !== undefined) await checkOwnPasskey(deps, uid, passkey);
  else if (code !== undefined) await checkTotpCode(deps, uid, code);
  else if (password !== undefined) await checkCurrentPassword(deps, uid, { password, field: "password" });
  else throw invalid("/password", "is required: expected your current password");
  const set = "update staff_session set confirmed_at = clock_timestamp() where token_sha256 = $1";
  await deps.db.execute(set, [hashToken(token)]);
}

/** 422 naming `passkey` for a response that is not valid or another person's passkey, 429 after too many. */
async function checkOwnPasskey(
  deps: Pick<Deps, "db" | "clock" | "config" | "secretBox">,
  uid: string,
  answer: PasskeyAnswer,
): Promise<void> {
  const key = `account/${uid}`;
  const { hasLocked } = await countAttempt(deps, [{ key, rule: PERSON_RULE }]);
  const found = await deps.db.tx((tx) =>
    checkPasskey(tx, deps, { answer, use: "confirm", staffUid: uid, ownerUid: uid }),
  );
  if (found === null) {
    await recordFailedCheck(deps, uid, { field: "passkey", hasLocked });
    throw invalid("/passkey", "is not one of your passkeys, or the browser's answer does not hold");
  }
  await deleteFailures(deps.db, key);
}

/** Checks a code of a signed-in person's second factor. 422 naming `code` where it is wrong or the factor is off, 429 after too many. */
async function checkTotpCode(deps: Pick<Deps, "db" | "clock" | "secretBox">, uid: string, code: string): Promise<void> {
  const { hasLocked } = await countOwnCode(deps, uid);
  const isRight = await deps.db.tx(async (tx) => {
    const [row] = await tx.query<{ sealed: Buffer | null }>(
      "select totp_sealed as sealed from staff where uid = $1 for update",
      [uid],
    );
    const sealed = row?.sealed ?? null;
    return sealed !== null && (await consumeTotpCode(tx, deps, { staffUid: uid, sealed, code }));
  });
  if (!isRight) {
    await recordFailedCheck(deps, uid, { field: "code", hasLocked });
    throw invalid("/code", "is not the code that the app shows now");
  }
  await resetOwnCodeCount(deps.db, uid);
}
