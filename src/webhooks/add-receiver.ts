import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { insertSubscription, isSameUrl, selectReceivers } from "./queries.ts";
import { LOCK_SUBSCRIPTIONS_EXCLUSIVE } from "./read-active-topics.ts";
import { SECRET_BYTES, secretText } from "./subscription-secret.ts";
import type { Topic } from "./topics/index.ts";

/** Of one topic, its subscription of the interface included: one worker of the node serves each. */
const RECEIVERS_MAX = 128;

/**
 * Adds a receiver to a topic beside its subscription of the interface, which `checkCallback` has let pass (docs/webhooks.md), and returns its
 * uid and secret. Throws `invalid` where the topic has the URL already, or too many receivers.
 */
export async function addReceiver(
  tx: Tx,
  deps: Deps,
  { topic, callbackUrl }: { readonly topic: Topic; readonly callbackUrl: string },
): Promise<{ uid: string; secret: string }> {
  await tx.query(LOCK_SUBSCRIPTIONS_EXCLUSIVE);
  const receivers = (await selectReceivers(tx)).filter((receiver) => receiver.topic === topic);
  if (receivers.some((receiver) => isSameUrl(receiver.callbackUrl, callbackUrl)))
    throw invalid("/callback_url", "is a receiver of this topic already");
  if (receivers.length >= RECEIVERS_MAX) throw invalid("/topic", `has ${RECEIVERS_MAX} receivers, which is the most`);
  const uid = deps.random.uid();
  const secret = secretText(deps.random.bytes(SECRET_BYTES));
  const secretSealed = deps.secretBox.seal(secret);
  const activatedAt = deps.clock.now();
  await insertSubscription(tx, { uid, topic, callbackUrl, activatedAt, isAdditional: true }, secretSealed);
  tx.afterCommit(() => deps.wake.deliveries());
  return { uid, secret };
}
