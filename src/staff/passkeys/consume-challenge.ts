import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { consumeToken } from "../provider/identity-queries.ts";
import { CHALLENGE_S, type ChallengeUse, hashChallenge, readChallenge } from "./passkey.ts";

/**
 * Marks a challenge as used, in the transaction of what its response opens. False where it was made for another use or person, has expired, was
 * used before, or was not made by this service.
 */
export async function consumeChallenge(
  tx: Tx,
  deps: Pick<Deps, "secretBox">,
  expected: { readonly challenge: string; readonly use: ChallengeUse; readonly staffUid: string | null },
): Promise<boolean> {
  try {
    const made = readChallenge(deps.secretBox.open(Buffer.from(expected.challenge, "base64url")));
    if (made.use !== expected.use || made.staffUid !== expected.staffUid || made.endsMs <= Date.now()) return false;
  } catch {
    return false;
  }
  return consumeToken(tx, hashChallenge(expected.challenge), CHALLENGE_S);
}
