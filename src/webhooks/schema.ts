import { Type } from "typebox";
import { EXPORT_TOPIC_ALIAS, WEBHOOK_TOPICS } from "./topics/index.ts";

const topicNames: readonly string[] = [...WEBHOOK_TOPICS.map(({ name }) => name), EXPORT_TOPIC_ALIAS];

const topicField = Type.Unsafe<string>({
  type: "string",
  enum: topicNames,
  description: `An event's topic. \`${EXPORT_TOPIC_ALIAS}\` is accepted as \`point_balances/export\`.`,
  examples: ["point_balance/update"],
});

/** Body of the creation (interface.md 4.12). */
export const createBody = Type.Object(
  {
    topic: topicField,
    callback_url: Type.String({
      description: "An https URL without credentials, at a public address.",
      examples: ["https://shop.example.com/hooks/points"],
    }),
  },
  { title: "NewSubscription" },
);

/** The topic to delete, in the body or in the query (program.md 2). */
export const deleteBody = Type.Object({ topic: Type.Optional(topicField) });
export const deleteQuery = Type.Object({ topic: Type.Optional(topicField) });

const subscriptionFields = {
  activated_at: Type.String({ description: "UTC, six fractional digits" }),
  active: Type.Boolean(),
  callback_url: Type.String(),
  topic: Type.String(),
  uid: Type.String(),
};

const sample = {
  activated_at: "2026-03-01T09:30:00.123456Z",
  active: true,
  callback_url: "https://shop.example.com/hooks/points",
  topic: "point_balance/update",
  uid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716",
};

export const createAnswer = Type.Object(
  {
    status: Type.Integer(),
    data: Type.Object({
      ...subscriptionFields,
      secret: Type.Optional(
        Type.String({
          description: "Verifies `webhook-signature`; shown only when the subscription is created.",
        }),
      ),
    }),
  },
  {
    title: "CreatedSubscription",
    examples: [{ status: 200, data: { ...sample, secret: "whsec_c2VjcmV0IG9mIHRoZSBzdWJzY3JpcHRpb24uLi4uLi4=" } }],
  },
);

export const listAnswer = Type.Object(
  { data: Type.Array(Type.Object({ ...subscriptionFields, shop_uid: Type.String() })) },
  { title: "Subscriptions", examples: [{ data: [{ ...sample, shop_uid: "019ca8e7-0000-7a02-8b1f-6f2d94c0e700" }] }] },
);

export const deleteAnswer = Type.Object(
  { status: Type.Integer() },
  { title: "DeletedSubscription", examples: [{ status: 200 }] },
);
