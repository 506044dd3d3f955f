import { formatInstant } from "../time/store-time.ts";
import type { Subscription } from "./queries.ts";

/** Returns a subscription on the wire (interface.md 2.8). It is active as long as it exists. */
export function subscriptionView(subscription: Subscription) {
  return {
    activated_at: formatInstant(subscription.activatedAt),
    active: true,
    callback_url: subscription.callbackUrl,
    topic: subscription.topic,
    uid: subscription.uid,
  };
}
