import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { consumeChallenge } from "./consume-challenge.ts";
import { type ChallengeUse, challengeOf, isCounterBack, passkeySite } from "./passkey.ts";
import type { PasskeyAnswer } from "./passkey-answer.ts";
import { lockPasskey, selectPasskey } from "./passkey-queries.ts";

interface Check {
  readonly answer: PasskeyAnswer;
  readonly use: ChallengeUse;
  /** The person for whom the challenge was made; null: for any person. */
  readonly staffUid: string | null;
  /** The person who must own the passkey; null: any person. */
  readonly ownerUid: string | null;
}

/**
 * The owner of the passkey that signed a challenge; null where the response is not valid. It checks the browser's origin, the site's name, the
 * challenge, the signature, and that the device verified its user (fingerprint, face or PIN); a challenge is accepted once. A passkey whose
 * counter goes back may have been copied, so it is refused from then on. The caller has to commit what this writes; so it does not throw.
 */
export async function checkPasskey(
  tx: Tx,
  deps: Pick<Deps, "clock" | "config" | "secretBox">,
  { answer, use, staffUid, ownerUid }: Check,
): Promise<{ staffUid: string } | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server"); // on first use: a tenth of the modules of a start
  const site = passkeySite(deps.config.publicUrl);
  const challenge = challengeOf(answer.response.clientDataJSON);
  const found = await selectPasskey(tx, Buffer.from(answer.id, "base64url"));
  if (site === null || challenge === null || found === undefined) return null;
  if (ownerUid !== null && found.staffUid !== ownerUid) return null;
  const row = await lockPasskey(tx, found.uid);
  if (row === undefined || row.suspectedAt !== null) return null;
  const { userHandle, ...response } = answer.response;
  const checked = await verifyAuthenticationResponse({
    response: {
      ...answer,
      response: { ...response, ...(typeof userHandle === "string" ? { userHandle } : {}) },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    // its own check of the counter would come before that of the signature
    credential: { id: answer.id, publicKey: Uint8Array.from(row.publicKey), counter: 0 },
  }).catch(() => null);
  if (checked?.verified !== true) return null;
  if (!(await consumeChallenge(tx, deps, { challenge, use, staffUid }))) return null;
  const { newCounter } = checked.authenticationInfo;
  if (isCounterBack(Number(row.signCount), newCounter)) {
    await tx.execute("update staff_passkey set suspected_at = $2 where uid = $1", [row.uid, deps.clock.now()]);
    const subject = { kind: "staff", id: row.staffUid };
    await recordAction(tx, deps, { action: "staff.passkey_suspected", subject, after: { passkey: row.uid } });
    return null;
  }
  await tx.execute("update staff_passkey set sign_count = $2, used_at = $3 where uid = $1", [
    ...[row.uid, newCounter, deps.clock.now()],
  ]);
  return { staffUid: row.staffUid };
}
