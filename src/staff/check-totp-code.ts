import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { countAttempt } from "./count-attempt.ts";
import { forgetFailures } from "./forget-failures.ts";
import { PERSON_RULE } from "./lockout.ts";
import { recordFailedCheck } from "./record-failed-check.ts";
import { takeTotpCode } from "./take-totp-code.ts";

/** Asks somebody who is signed in for a code of their second factor. 422 naming `code` for a wrong one or where it is off, 429 after too many. */
export async function checkTotpCode(
  deps: Pick<Deps, "db" | "clock" | "secretBox">,
  uid: string,
  code: string,
): Promise<void> {
  const key = `account/${uid}`;
  const { hasLocked } = await countAttempt(deps, [{ key, rule: PERSON_RULE }]);
  const isRight = await deps.db.tx(async (tx) => {
    const [row] = await tx.query<{ sealed: Buffer | null }>(
      "select totp_sealed as sealed from staff where uid = $1 for update",
      [uid],
    );
    const sealed = row?.sealed ?? null;
    return sealed !== null && (await takeTotpCode(tx, deps, { staffUid: uid, sealed, code }));
  });
  if (!isRight) {
    await recordFailedCheck(deps, uid, { field: "code", hasLocked });
    throw invalid("/code", "is not the code of now");
  }
  await forgetFailures(deps.db, key);
}
