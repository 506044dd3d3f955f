import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { invalid } from "../../problems.ts";
import { insertSubscription, isSameUrl, selectReceivers } from "../queries.ts";
import { LOCK_SUBSCRIPTIONS_EXCLUSIVE } from "../read-active-topics.ts";
import type { Topic } from "../topics/index.ts";
import { SECRET_BYTES, secretText } from "./subscription-secret.ts";

/** The maximum per topic, including its subscription of the REST API: one worker of the node serves each. */
const RECEIVERS_MAX = 128;

/**
 * Adds a receiver to a topic, in addition to its subscription of the REST API (docs/webhooks.md). `checkCallback` must have accepted the URL.
 * Returns the receiver's uid and secret. Throws `invalid` if the topic already has the URL, or has too many receivers.
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
