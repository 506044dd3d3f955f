import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { createBody } from "../../webhooks/schema.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const nullableText = Nullable(text);
const count = Type.Integer();
const nullableCount = Nullable(count);

const topicField = createBody.properties.topic;
export const topicBody = Type.Object({ topic: topicField });
export const subscriptionBody = Type.Object({
  topic: topicField,
  callback_url: Type.String({ minLength: 1, maxLength: 2_048 }),
});
export const replayBody = Type.Object({});

const healthFields = {
  is_rotating: Type.Boolean({ description: "Signatures carry an old and a new secret." }),
  failures_in_row: count,
  is_dead: Type.Boolean({ description: "After so many failures in a row that its deliveries are not held in order." }),
  waiting: Type.Integer({ description: "Counted up to `counted_to`." }),
  failed: Type.Integer({ description: "Counted up to `counted_to`." }),
  counted_to: count,
  last_success_at: nullableText,
  last_failure_at: nullableText,
  median_ms: nullableCount,
  slow_ms: Nullable(Type.Integer({ description: "19 of 20 answers came sooner." })),
  recent_attempts: Type.Integer({ description: "Of which the four fields above are." }),
};
const additionalRow = Type.Object({ uid: text, callback_url: text, activated_at: text, ...healthFields });
const subscriptionRow = Type.Object({
  topic: text,
  /** Null, like the other fields about a subscription, if there is none. */
  uid: nullableText,
  callback_url: nullableText,
  activated_at: nullableText,
  ...healthFields,
  sample: Type.String({ description: "The body of a test, JSON text." }),
  additional: Type.Array(additionalRow, { description: "Receivers beside the subscription of the interface." }),
});
export const subscriptionList = Type.Object({ data: Type.Array(subscriptionRow) });

export const secretAnswer = Type.Object({
  data: Type.Object({
    topic: text,
    secret: Nullable(
      Type.String({ description: "Shown now and never again; null: the subscription was there already." }),
    ),
  }),
});
export const webhookDoneAnswer = Type.Object({ data: Type.Object({ topic: text }) });

export const testAnswer = Type.Object({
  data: Type.Object({
    uid: text,
    status: nullableCount,
    failure: nullableText,
    duration_ms: count,
    answer_head: nullableText,
    payload: text,
  }),
});

const DELIVERY_STATES = ["all", "waiting", "failed", "done"] as const;
const range = {
  since: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: "A day of the store, or a date-time." }),
  ),
  until: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: "A day, included, or a date-time." })),
};
const optionalTopic = Type.Optional(topicField);

const deliveryFilterFields = { state: Type.Optional(Type.Enum(DELIVERY_STATES)), topic: optionalTopic, ...range };
export const deliveryFilters = Type.Object(deliveryFilterFields);
export const deliveryQuery = Type.Object({
  ...deliveryFilterFields,
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
});

const deliveryFields = {
  uid: text,
  topic: text,
  state: Type.Enum(["waiting", "failed", "done", "ended"], {
    description: "`ended`: its subscription was deleted first.",
  }),
  attempts: Type.Integer({ description: "The first and its resends." }),
  due_at: Nullable(Type.String({ description: "Of a waiting one its next attempt, of a failed one when it failed." })),
  written_at: Type.String({ description: "By the clock of the database's machine." }),
  customer: Nullable(namedCustomer),
};

const deliveryRow = Type.Object({
  ...deliveryFields,
  subscription_uid: Nullable(
    Type.String({ description: "Whose delivery it is; null: of every receiver of the topic." }),
  ),
  last_at: nullableText,
  last_status: nullableCount,
  last_failure: nullableText,
  last_ms: nullableCount,
});
export const deliveryPage = Type.Object({ data: Type.Array(deliveryRow), next: nullableText });

export const deliveryParams = Type.Object({ uid: Type.String({ format: "uuid" }) });

const attemptRow = Type.Object({
  uid: text,
  subscription_uid: Nullable(Type.String({ description: "Null: of a time when a topic had one receiver." })),
  callback_url: Nullable(Type.String({ description: "Null: the receiver is gone." })),
  kind: Type.Enum(["first", "resend", "early"]),
  started_at: text,
  duration_ms: count,
  status: nullableCount,
  failure: nullableText,
  answer_head: nullableText,
});
export const shownDeliveryAnswer = Type.Object({
  data: Type.Object({
    ...deliveryFields,
    callback_url: nullableText,
    can_replay: Type.Boolean(),
    payload: Nullable(Type.String({ description: "Null: the role may not see it, or it is made at each attempt." })),
    export_uid: nullableText,
    attempt_list: Type.Array(attemptRow),
  }),
});

export const failedQuery = Type.Object({ topic: optionalTopic, since: range.since });
export const failedAnswer = Type.Object({
  data: Type.Object({
    count: Type.Integer({ description: "One more than `counted_to`: there are more than that." }),
    counted_to: count,
  }),
});
export const replayAllBody = Type.Object({ topic: optionalTopic, since: range.since });
export const replayAllAnswer = Type.Object({
  data: Type.Object({ replayed: count, has_more: Type.Boolean({ description: "Ask once more." }) }),
});
export const replayAnswer = Type.Object({ data: Type.Object({ uid: text }) });

export type AdditionalRow = Static<typeof additionalRow>;
export type SubscriptionRow = Static<typeof subscriptionRow>;
export type SubscriptionList = Static<typeof subscriptionList>;
export type SecretAnswer = Static<typeof secretAnswer>;
export type TestAnswer = Static<typeof testAnswer>;
export type DeliveryFilterQuery = Static<typeof deliveryFilters>;
export type DeliveryQuery = Static<typeof deliveryQuery>;
export type DeliveryRow = Static<typeof deliveryRow>;
export type DeliveryPage = Static<typeof deliveryPage>;
export type DeliveryAnswer = Static<typeof shownDeliveryAnswer>;
export type AttemptRow = Static<typeof attemptRow>;
export type FailedAnswer = Static<typeof failedAnswer>;
export type ReplayAllAnswer = Static<typeof replayAllAnswer>;
