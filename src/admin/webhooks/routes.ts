import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { invalid } from "../../problems.ts";
import { checkCallback } from "../../webhooks/callbacks/check-callback.ts";
import { sendTestDelivery } from "../../webhooks/failures/send-test-delivery.ts";
import { testPayload } from "../../webhooks/failures/test-payload.ts";
import { customerIdName } from "../../webhooks/payload-fields.ts";
import { confirmSubscriptionSecret } from "../../webhooks/subscriptions/confirm-subscription-secret.ts";
import { createSubscription } from "../../webhooks/subscriptions/create-subscription.ts";
import { deleteSubscription } from "../../webhooks/subscriptions/delete-subscription.ts";
import { rotateSubscriptionSecret } from "../../webhooks/subscriptions/rotate-subscription-secret.ts";
import { findTopic, type Topic, WEBHOOK_TOPICS } from "../../webhooks/topics/index.ts";
import { deliveryAdminRoutes } from "./delivery-routes.ts";
import * as wire from "./schema.ts";
import { selectRecentAttempts, selectSubscriptionFacts } from "./subscription-queries.ts";
import { viewAdditional, viewSubscription } from "./view.ts";

const view = { permission: "view" } as const;
const manage = { permission: "webhooks.manage" } as const;
/** Routes that show a secret, or replace one. */
const secrets = { ...manage, stepUp: true } as const;

/** Routes of the webhooks page: subscriptions with their receivers' health, and deliveries. */
export function webhooksAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/webhooks/subscriptions",
    { config: view, schema: { hide: true, response: { 200: wire.subscriptionList } } },
    () => listSubscriptionFacts(deps),
  );
  app.post(
    "/webhooks/subscriptions",
    { config: secrets, schema: { hide: true, body: wire.subscriptionBody, response: { 200: wire.secretAnswer } } },
    async ({ body }) => {
      const topic = readTopic(body.topic);
      await checkCallback(deps, body.callback_url);
      const input = { topic, callbackUrl: body.callback_url };
      const { secret } = await deps.db.tx((tx) => createSubscription(tx, deps, input));
      return { data: { topic, secret } };
    },
  );
  app.delete(
    "/webhooks/subscriptions",
    { config: manage, schema: { hide: true, body: wire.topicBody, response: { 200: wire.webhookDoneAnswer } } },
    async ({ body }) => {
      const topic = readTopic(body.topic);
      await deps.db.tx((tx) => deleteSubscription(tx, deps, topic));
      return { data: { topic } };
    },
  );
  secretRoutes(app, deps);
  deliveryAdminRoutes(app, deps);
}

function secretRoutes(app: App, deps: Deps): void {
  app.post(
    "/webhooks/subscriptions/rotate",
    { config: secrets, schema: { hide: true, body: wire.topicBody, response: { 200: wire.secretAnswer } } },
    async ({ body }) => {
      const topic = readTopic(body.topic);
      return { data: { topic, secret: await rotateSubscriptionSecret(deps, topic) } };
    },
  );
  app.post(
    "/webhooks/subscriptions/confirm",
    { config: secrets, schema: { hide: true, body: wire.topicBody, response: { 200: wire.webhookDoneAnswer } } },
    async ({ body }) => {
      const topic = readTopic(body.topic);
      await confirmSubscriptionSecret(deps, topic);
      return { data: { topic } };
    },
  );
  app.post(
    "/webhooks/subscriptions/test",
    { config: manage, schema: { hide: true, body: wire.topicBody, response: { 200: wire.testAnswer } } },
    ({ body }) => sendTest(deps, readTopic(body.topic)),
  );
}

function readTopic(name: string): Topic {
  const topic = findTopic(name);
  if (topic === undefined) throw invalid("/topic", "expected the topic of an event");
  return topic;
}

/** Returns every topic with its subscription, and the health of each of its receivers. */
async function listSubscriptionFacts(deps: Pick<Deps, "db" | "config">): Promise<wire.SubscriptionList> {
  const receivers = await selectSubscriptionFacts(deps.db);
  const additional = receivers.filter(({ isAdditional }) => isAdditional);
  const [recent, recentAdditional] = await Promise.all([
    selectRecentAttempts(deps.db, false),
    additional.length === 0 ? [] : selectRecentAttempts(deps.db, true),
  ]);
  const idField = customerIdName(deps.config.platform);
  const data = WEBHOOK_TOPICS.map(({ name }) => ({
    ...viewSubscription(
      { name, sample: testPayload(name, idField) },
      receivers.find(({ topic, isAdditional }) => topic === name && !isAdditional),
      recent.find((one) => one.of === name),
    ),
    additional: additional
      .filter(({ topic }) => topic === name)
      .map((facts) =>
        viewAdditional(
          facts,
          recentAdditional.find((one) => one.of === facts.uid),
        ),
      ),
  }));
  return { data };
}

/** Sends a topic's sample to its receiver and returns the receiver's response. Throws `subscription_not_found`. */
async function sendTest(deps: Deps, topic: Topic): Promise<wire.TestAnswer> {
  const { delivery, status, failure, durationMs, answerHead } = await sendTestDelivery(deps, topic);
  const subject = { kind: "subscription", id: topic };
  await recordAction(deps.db, deps, { action: "webhooks.tested", subject, after: { status, failure } });
  const { uid, payload } = delivery;
  return { data: { uid, status, failure, duration_ms: durationMs, answer_head: answerHead, payload } };
}
