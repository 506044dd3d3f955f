import { Secret, TOTP } from "otpauth";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";

const PERIOD_S = 30;
const WINDOW = 1;

/**
 * Whether a code is the present one of a person's second factor, or one step of 30 seconds earlier or later; a code is accepted once. The time
 * is the machine's, because the telephone that made the code uses no other.
 */
export async function consumeTotpCode(
  tx: Queryable,
  deps: Pick<Deps, "secretBox">,
  { staffUid, sealed, code }: { readonly staffUid: string; readonly sealed: Buffer; readonly code: string },
): Promise<boolean> {
  const nowMs = Date.now();
  const totp = new TOTP({ secret: Secret.fromBase32(deps.secretBox.open(sealed)), period: PERIOD_S });
  const drift = totp.validate({ token: code.replaceAll(/\s/g, ""), timestamp: nowMs, window: WINDOW });
  if (drift === null) return false;
  const step = Math.floor(nowMs / 1_000 / PERIOD_S) + drift;
  const taken = await tx.execute("update staff set totp_step = $2 where uid = $1 and totp_step < $2", [staffUid, step]);
  return taken === 1;
}
