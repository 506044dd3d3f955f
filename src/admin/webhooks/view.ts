import { formatInstant } from "../../time/store-time.ts";
import { isDead } from "../../webhooks/delivery/retry-schedule.ts";
import { pointBalancesExport } from "../../webhooks/topics/point-balances-export.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";
import { viewCustomer } from "../named-customer.ts";
import type { ListedDelivery } from "./delivery-queries.ts";
import type { AttemptFacts, OneDelivery } from "./one-delivery-queries.ts";
import type { AdditionalRow, AttemptRow, DeliveryAnswer, DeliveryRow, SubscriptionRow } from "./schema.ts";
import type { RecentAttempts, SubscriptionFacts } from "./subscription-queries.ts";

const time = (instant: Temporal.Instant | null | undefined) => (instant == null ? null : formatInstant(instant));

/** A topic with its subscription, if any, and the results of its newest attempts, if any. */
export function viewSubscription(
  topic: { readonly name: string; readonly sample: string },
  facts: SubscriptionFacts | undefined,
  recent: RecentAttempts | undefined,
): Omit<SubscriptionRow, "additional"> {
  return {
    topic: topic.name,
    uid: facts?.uid ?? null,
    callback_url: facts?.callbackUrl ?? null,
    activated_at: time(facts?.activatedAt),
    ...viewHealth(facts, recent),
    sample: topic.sample,
  };
}

/** An additional receiver beside its topic's subscription. */
export function viewAdditional(facts: SubscriptionFacts, recent: RecentAttempts | undefined): AdditionalRow {
  return {
    uid: facts.uid,
    callback_url: facts.callbackUrl,
    activated_at: formatInstant(facts.activatedAt),
    ...viewHealth(facts, recent),
  };
}

function viewHealth(facts: SubscriptionFacts | undefined, recent: RecentAttempts | undefined) {
  const failures = facts?.failures ?? 0;
  return {
    is_rotating: facts?.isRotating ?? false,
    failures_in_row: failures,
    is_dead: isDead({ failures, revivals: 0 }),
    waiting: Number(facts?.waiting ?? 0),
    failed: Number(facts?.failed ?? 0),
    counted_to: COUNTED_MAX,
    last_success_at: time(recent?.lastSuccessAt),
    last_failure_at: time(recent?.lastFailureAt),
    median_ms: recent?.medianMs ?? null,
    slow_ms: recent?.slowMs ?? null,
    recent_attempts: Number(recent?.count ?? 0),
  };
}

/** An event without a delivery was acknowledged, unless its last attempt failed: then its subscription ended first. */
function stateOf(state: "waiting" | "failed" | null, lastStatus: number | null | undefined): DeliveryRow["state"] {
  if (state !== null) return state;
  return lastStatus === 200 ? "done" : "ended";
}

export function viewDelivery(facts: ListedDelivery): DeliveryRow {
  return {
    uid: facts.uid,
    subscription_uid: facts.subscriptionUid,
    topic: facts.topic,
    state: stateOf(facts.state, facts.lastStatus),
    attempts: facts.attempts,
    due_at: time(facts.dueAt),
    written_at: formatInstant(facts.writtenAt),
    customer: viewCustomer(facts),
    last_at: time(facts.lastAt),
    last_status: facts.lastStatus,
    last_failure: facts.lastFailure,
    last_ms: facts.lastMs,
  };
}

/** A complete delivery; `isPersonal`: the reader may see the personal data in it. */
export function viewOneDelivery(
  one: OneDelivery,
  attempts: readonly AttemptFacts[],
  isPersonal: boolean,
): DeliveryAnswer["data"] {
  const isExport = one.topic === pointBalancesExport.name;
  return {
    uid: one.uid,
    topic: one.topic,
    state: stateOf(one.state, attempts[0]?.status),
    attempts: one.attempts ?? attempts.length,
    due_at: time(one.dueAt),
    written_at: formatInstant(one.writtenAt),
    customer: viewCustomer(one),
    callback_url: one.callbackUrl,
    can_replay: one.state === "failed" && one.callbackUrl !== null,
    payload: isExport || !isPersonal ? null : one.payload,
    export_uid: isExport ? one.payload : null,
    attempt_list: attempts.map((attempt) => viewAttempt(attempt, isPersonal)),
  };
}

function viewAttempt(attempt: AttemptFacts, isPersonal: boolean): AttemptRow {
  return {
    uid: attempt.uid,
    subscription_uid: attempt.subscriptionUid,
    callback_url: attempt.callbackUrl,
    kind: attempt.kind,
    started_at: formatInstant(attempt.startedAt),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    failure: attempt.failure,
    answer_head: isPersonal ? attempt.answerHead : null,
  };
}
