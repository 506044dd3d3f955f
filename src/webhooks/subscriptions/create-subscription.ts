import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { findSubscription, insertSubscription, isSameUrl, type Subscription } from "../queries.ts";
import { LOCK_SUBSCRIPTIONS_EXCLUSIVE } from "../read-active-topics.ts";
import type { Topic } from "../topics/index.ts";
import { SECRET_BYTES, secretText } from "./subscription-secret.ts";

const ENSURE_SHOP = `
insert into shop (uid)
values ($1)
on conflict do nothing`;

/** `secret` is present only if the subscription was created now: it is shown once. */
export interface CreatedSubscription {
  subscription: Subscription;
  secret: string | null;
}

/**
 * Subscribes a callback URL, which `checkCallback` must have accepted, to a topic (interface.md 4.12, program.md 2). A topic keeps its existing
 * subscription: with the same URL it is returned, with another URL `subscription_exists` is thrown.
 */
export async function createSubscription(
  tx: Tx,
  deps: Deps,
  input: { topic: Topic; callbackUrl: string },
): Promise<CreatedSubscription> {
  await tx.query(LOCK_SUBSCRIPTIONS_EXCLUSIVE);
  const existing = await findSubscription(tx, input.topic);
  if (existing !== undefined) {
    if (!isSameUrl(existing.callbackUrl, input.callbackUrl)) {
      const detail = `it goes to ${existing.callbackUrl}: DELETE the topic's subscription first, then create the new one`;
      throw new Problem("subscription_exists", { faults: [{ detail, pointer: "/callback_url" }] });
    }
    return { subscription: existing, secret: null };
  }
  const subscription = { uid: deps.random.uid(), ...input, activatedAt: deps.clock.now(), isAdditional: false };
  const secret = secretText(deps.random.bytes(SECRET_BYTES));
  await Promise.all([
    tx.execute(ENSURE_SHOP, [deps.random.uid()]),
    insertSubscription(tx, subscription, deps.secretBox.seal(secret)),
  ]);
  tx.afterCommit(() => deps.wake.deliveries());
  return { subscription, secret };
}
