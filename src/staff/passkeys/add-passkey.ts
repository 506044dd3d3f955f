import { isUniqueViolation } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { invalid, Problem } from "../../problems.ts";
import { lockOwnSession } from "../sessions/lock-own-session.ts";
import type { OwnSession } from "../sessions/session.ts";
import { normalName } from "../staff.ts";
import { consumeChallenge } from "./consume-challenge.ts";
import { challengeOf, PASSKEYS_MAX, passkeySite } from "./passkey.ts";
import type { PasskeyMade } from "./passkey-answer.ts";
import { selectCredentialIds } from "./passkey-queries.ts";

const REFUSED = "the browser's answer does not hold: try again";

/**
 * Stores a passkey that a person's browser created; returns its uid. 422 for one that is not valid or has no name, 409 where the person has
 * ten; 401 of `lockOwnSession`.
 */
export async function addPasskey(
  deps: Pick<Deps, "db" | "clock" | "config" | "random" | "secretBox">,
  session: OwnSession,
  { made, name: typed }: { readonly made: PasskeyMade; readonly name: string },
): Promise<string> {
  const { staffUid } = session;
  const site = passkeySite(deps.config.publicUrl);
  const name = normalName(typed);
  if (site === null) throw new Problem("passkeys_unavailable");
  if (name === null) throw invalid("/name", "expected 1 to 100 characters");
  const challenge = challengeOf(made.response.clientDataJSON) ?? "";
  const { transports = [] } = made.response;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server"); // on first use: a tenth of the modules of a start
  const checked = await verifyRegistrationResponse({
    response: {
      ...made,
      response: { ...made.response, transports: [] },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
  }).catch(() => null);
  if (checked?.verified !== true) throw invalid("/passkey", REFUSED);
  const { credential, credentialDeviceType } = checked.registrationInfo;
  const uid = deps.random.uid();
  try {
    await deps.db.tx(async (tx) => {
      await lockOwnSession(tx, session);
      if (!(await consumeChallenge(tx, deps, { challenge, use: "register", staffUid })))
        throw invalid("/passkey", REFUSED);
      if ((await selectCredentialIds(tx, staffUid)).length >= PASSKEYS_MAX) throw new Problem("passkeys_full");
      await tx.execute(
        `insert into staff_passkey (uid, staff_uid, credential_id, public_key, sign_count, transports, is_synced, name, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...[uid, staffUid, Buffer.from(credential.id, "base64url"), Buffer.from(credential.publicKey)],
          ...[credential.counter, transports, credentialDeviceType === "multiDevice", name, deps.clock.now()],
        ],
      );
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("/passkey", "this passkey is known already");
    throw error;
  }
  return uid;
}
