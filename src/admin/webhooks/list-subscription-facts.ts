import type { Deps } from "../../deps.ts";
import { customerIdName } from "../../webhooks/payload-fields.ts";
import { testPayload } from "../../webhooks/test-payload.ts";
import { WEBHOOK_TOPICS } from "../../webhooks/topics/index.ts";
import type { SubscriptionList } from "./schema.ts";
import { selectRecentAttempts, selectSubscriptionFacts } from "./subscription-queries.ts";
import { viewSubscription } from "./view.ts";

/** Every topic with its subscription and the health of its receiver. */
export async function listSubscriptionFacts(deps: Pick<Deps, "db" | "config">): Promise<SubscriptionList> {
  const [subscriptions, recent] = await Promise.all([selectSubscriptionFacts(deps.db), selectRecentAttempts(deps.db)]);
  const idField = customerIdName(deps.config.platform);
  const data = WEBHOOK_TOPICS.map(({ name }) => {
    const isOfTopic = ({ topic }: { readonly topic: string }) => topic === name;
    const sample = testPayload(name, idField);
    return viewSubscription({ name, sample }, subscriptions.find(isOfTopic), recent.find(isOfTopic));
  });
  return { data };
}
