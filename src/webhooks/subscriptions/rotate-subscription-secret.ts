import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { NAMED_SUBSCRIPTION } from "../queries.ts";
import { SECRET_BYTES, secretText } from "./subscription-secret.ts";

const KEEP_NEXT = `
update subscription
set next_secret_sealed = $2
where ${NAMED_SUBSCRIPTION}`;

/**
 * Creates a new secret for a topic's subscription and returns it. Deliveries are signed with both the old and the new secret until
 * `confirmSubscriptionSecret` (program.md 7). Rotating again before that replaces the new one. Throws `subscription_not_found`.
 */
export async function rotateSubscriptionSecret(deps: Deps, receiver: string): Promise<string> {
  const secret = secretText(deps.random.bytes(SECRET_BYTES));
  const count = await deps.db.execute(KEEP_NEXT, [receiver, deps.secretBox.seal(secret)]);
  if (count === 0) throw new Problem("subscription_not_found");
  return secret;
}
