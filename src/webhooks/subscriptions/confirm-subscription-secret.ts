import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { NAMED_SUBSCRIPTION } from "../queries.ts";

const SWITCH = `
update subscription
set secret_sealed = coalesce(next_secret_sealed, secret_sealed), next_secret_sealed = null
where ${NAMED_SUBSCRIPTION}`;

/** Ends a rotation: the old secret no longer signs. Without a rotation nothing changes. Throws `subscription_not_found`. */
export async function confirmSubscriptionSecret(deps: Deps, receiver: string): Promise<void> {
  const count = await deps.db.execute(SWITCH, [receiver]);
  if (count === 0) throw new Problem("subscription_not_found");
}
