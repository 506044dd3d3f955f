import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { Staff } from "../staff.ts";
import { makeChallenge } from "./make-challenge.ts";
import { CHALLENGE_S, PASSKEYS_MAX, passkeySite } from "./passkey.ts";
import { selectCredentialIds } from "./passkey-queries.ts";

/**
 * The options with which a browser creates a passkey for a person: a discoverable one that verifies its user. 409 where the person has ten
 * passkeys; 409 `passkeys_unavailable` where browsers support none at PUBLIC_URL.
 */
export async function beginPasskey(
  deps: Pick<Deps, "db" | "config" | "secretBox">,
  { uid, email, name }: Staff,
  siteName: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const site = passkeySite(deps.config.publicUrl);
  if (site === null) throw new Problem("passkeys_unavailable");
  const known = await selectCredentialIds(deps.db, uid);
  if (known.length >= PASSKEYS_MAX) throw new Problem("passkeys_full");
  const challenge = makeChallenge(deps, { use: "register", staffUid: uid });
  // imported on first use: it is a tenth of the modules that a start would load
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: siteName,
    rpID: site.rpId,
    userName: email,
    userDisplayName: name,
    userID: Uint8Array.from(Buffer.from(uid.replaceAll("-", ""), "hex")),
    challenge: Uint8Array.from(Buffer.from(challenge, "base64url")),
    timeout: CHALLENGE_S * 1_000,
    attestationType: "none",
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString("base64url") })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  });
}
