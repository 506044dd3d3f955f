import type { Deps } from "../../deps.ts";
import { CHALLENGE_S, type Challenge, type ChallengeUse } from "./passkey.ts";

/** Makes a challenge for a browser: random by its encryption, and bound to a use, a person and a time. In base64url, as browsers return it. */
export function makeChallenge(
  deps: Pick<Deps, "secretBox">,
  { use, staffUid }: { readonly use: ChallengeUse; readonly staffUid: string | null },
): string {
  const challenge: Challenge = { use, staffUid, endsMs: Date.now() + CHALLENGE_S * 1_000 };
  return deps.secretBox.seal(JSON.stringify(challenge)).toString("base64url");
}
