import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { LOCK_SUBSCRIPTIONS_EXCLUSIVE } from "../read-active-topics.ts";
import type { Topic } from "../topics/index.ts";

const DELETE_SUBSCRIPTION = `
delete from subscription
where topic = $1
  and not is_additional`;

/**
 * Ends a topic's subscription and its waiting deliveries: nothing is delivered without a subscription, and `pruneWebhookLog` removes the rows.
 * Throws `subscription_not_found` (interface.md 4.12, program.md 2 and 7).
 */
export async function deleteSubscription(tx: Tx, deps: Deps, topic: Topic): Promise<void> {
  await tx.query(LOCK_SUBSCRIPTIONS_EXCLUSIVE);
  const count = await tx.execute(DELETE_SUBSCRIPTION, [topic]);
  if (count === 0) throw new Problem("subscription_not_found");
  tx.afterCommit(() => deps.wake.deliveries());
}
