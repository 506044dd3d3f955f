import type { Deps } from "../../deps.ts";
import { invalid } from "../../problems.ts";
import { endIdleCodes } from "../passkeys/passkey-queries.ts";
import { countOwnCode, resetOwnCodeCount } from "../sign-in/attempt-queries.ts";
import { recordFailedCheck } from "../sign-in/record-failed-check.ts";
import type { Staff } from "../staff.ts";
import { consumeTotpCode } from "./consume-totp-code.ts";

/** Turns a person's second factor off with a code of it. 422 for a wrong code; nothing where it is off. */
export async function endTotp(
  deps: Pick<Deps, "db" | "clock" | "secretBox">,
  { uid }: Staff,
  code: string,
): Promise<void> {
  const { hasLocked } = await countOwnCode(deps, uid);
  const isOff = await deps.db.tx(async (tx) => {
    const [row] = await tx.query<{ sealed: Buffer | null }>(
      "select totp_sealed as sealed from staff where uid = $1 for update",
      [uid],
    );
    const sealed = row?.sealed ?? null;
    if (sealed === null) return true;
    if (!(await consumeTotpCode(tx, deps, { staffUid: uid, sealed, code }))) return false;
    await tx.execute("update staff set totp_sealed = null where uid = $1", [uid]);
    await endIdleCodes(tx, uid);
    return true;
  });
  if (!isOff) {
    await recordFailedCheck(deps, uid, { field: "code", hasLocked });
    throw invalid("/code", "is not the code that the app shows now");
  }
  await resetOwnCodeCount(deps.db, uid);
}
