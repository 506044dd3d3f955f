import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { lockOwnSession } from "../sessions/lock-own-session.ts";
import { hashSetupCode } from "../setup-code.ts";
import { madePassword, type Staff } from "../staff.ts";

const CODES = 10;

/**
 * Generates a person's recovery codes, which are shown only once; they replace earlier ones. 409 where there is no second factor that they
 * could stand in for, 401 of `lockOwnSession`.
 */
export async function makeRecoveryCodes(
  deps: Pick<Deps, "db" | "clock" | "random">,
  { uid, hasTotp, passkeys }: Staff,
  token: string,
): Promise<string[]> {
  if (!hasTotp && passkeys === 0) throw new Problem("second_factor_off");
  const codes = Array.from({ length: CODES }, () => madePassword(deps.random.bytes(16)));
  await deps.db.tx(async (tx) => {
    await lockOwnSession(tx, { staffUid: uid, token });
    await tx.execute("delete from staff_recovery_code where staff_uid = $1", [uid]);
    await tx.execute("insert into staff_recovery_code (staff_uid, code_sha256) select $1, unnest($2::bytea[])", [
      uid,
      codes.map(hashSetupCode),
    ]);
    await recordAction(tx, deps, { action: "staff.recovery_codes_made", subject: { kind: "staff", id: uid } });
  });
  return codes;
}
