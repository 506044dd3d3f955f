import { Secret, TOTP } from "otpauth";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { Staff } from "../staff.ts";

const SECRET_BYTES = 20;

/**
 * Generates the secret of a person's second factor; `uri` is the content of its QR code. The factor is not required before `confirmTotp`, and
 * starting again replaces the secret. 409 where the second factor is on.
 */
export async function beginTotp(
  deps: Pick<Deps, "db" | "random" | "secretBox">,
  { uid, email }: Staff,
  issuer: string,
): Promise<{ uri: string; secret: string }> {
  const bytes = Uint8Array.from(deps.random.bytes(SECRET_BYTES)); // a copy: the buffer may be a part of a pool
  const secret = new Secret({ buffer: bytes.buffer });
  const written = await deps.db.execute(
    "update staff set totp_draft_sealed = $2 where uid = $1 and totp_sealed is null",
    [uid, deps.secretBox.seal(secret.base32)],
  );
  if (written === 0) throw new Problem("totp_is_on");
  return { uri: new TOTP({ issuer, label: email, secret }).toString(), secret: secret.base32 };
}
