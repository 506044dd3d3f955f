import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { sendTestDelivery } from "../../webhooks/send-test-delivery.ts";
import type { Topic } from "../../webhooks/topics/index.ts";
import type { TestAnswer } from "./schema.ts";

/** Sends a topic's sample to its receiver and answers what the receiver said. Throws `subscription_not_found`. */
export async function sendTest(deps: Deps, topic: Topic): Promise<TestAnswer> {
  const { delivery, status, failure, durationMs, answerHead } = await sendTestDelivery(deps, topic);
  const subject = { kind: "subscription", id: topic };
  await recordAction(deps.db, deps, { action: "webhooks.tested", subject, after: { status, failure } });
  const { uid, payload } = delivery;
  return { data: { uid, status, failure, duration_ms: durationMs, answer_head: answerHead, payload } };
}
