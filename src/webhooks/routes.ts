import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { runIdempotent } from "../http/idempotency/run-idempotent.ts";
import { invalid } from "../problems.ts";
import { checkCallback } from "./callbacks/check-callback.ts";
import type { CallbackResolver } from "./callbacks/resolve-callback.ts";
import { createAnswer, createBody, deleteAnswer, deleteBody, deleteQuery, listAnswer } from "./schema.ts";
import { createSubscription } from "./subscriptions/create-subscription.ts";
import { deleteSubscription } from "./subscriptions/delete-subscription.ts";
import { listSubscriptions } from "./subscriptions/list-subscriptions.ts";
import { findTopic, type Topic } from "./topics/index.ts";
import { subscriptionView } from "./view.ts";

const config = { scope: "webhooks" } as const;
const tags = ["Webhooks"];

/** Registers `/webhooks` (interface.md 4.12). `resolver` resolves callbacks' hosts; absent: the system's lookup. */
export function webhookRoutes(app: App, deps: Deps, resolver?: CallbackResolver): void {
  app.get(
    "/webhooks",
    { config, schema: { summary: "List webhook subscriptions", tags, response: { 200: listAnswer } } },
    async () => {
      const { shopUid, subscriptions } = await listSubscriptions(deps);
      return { data: subscriptions.map((one) => ({ ...subscriptionView(one), shop_uid: shopUid })) };
    },
  );

  app.post(
    "/webhooks",
    {
      config,
      schema: { summary: "Create a webhook subscription", tags, body: createBody, response: { 200: createAnswer } },
    },
    async (request, reply) => {
      const topic = readTopic(request.body.topic);
      const callbackUrl = request.body.callback_url;
      await checkCallback(deps, callbackUrl, { resolver });
      return runIdempotent(deps, request, reply, async (tx) => {
        const { subscription, secret } = await createSubscription(tx, deps, { topic, callbackUrl });
        const data = subscriptionView(subscription);
        if (secret === null) return { status: 200, body: { status: 200, data } };
        return { status: 200, body: { status: 200, data: { ...data, secret } }, isSecret: true };
      });
    },
  );

  app.delete(
    "/webhooks",
    {
      config,
      schema: {
        summary: "Delete a webhook subscription",
        tags,
        body: deleteBody,
        querystring: deleteQuery,
        response: { 200: deleteAnswer },
      },
    },
    async ({ query, body }) => {
      const topic = readTopic(body?.topic ?? query.topic);
      if (query.topic !== undefined && readTopic(query.topic) !== topic) {
        throw invalid("/topic", "expected the topic of the query, or only one of them");
      }
      await deps.db.tx((tx) => deleteSubscription(tx, deps, topic));
      return { status: 200 };
    },
  );
}

function readTopic(name: string | undefined): Topic {
  const topic = name === undefined ? undefined : findTopic(name);
  if (topic === undefined) throw invalid("/topic", "is required: expected the topic of an event");
  return topic;
}
