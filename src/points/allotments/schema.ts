import { Type } from "typebox";
import { BigInteger } from "../../http/big-integer.ts";
import { customerField } from "../../http/customer-ref.ts";
import { Nullable } from "../../http/nullable.ts";
import { pagingFields, pagingMetaSchema } from "../../http/paging.ts";
import { ALLOTMENT_TYPE_NAMES } from "../../ledger/allotment-types.ts";
import { REASON_TYPES } from "../../wire/allotment-choices.ts";
import { pointBalanceSchema } from "../balances/schema.ts";

/** Point Allotment, shape A (interface.md 2.2), including the fields that only the samples have. */
const allotmentFields = {
  uid: Type.String({ description: "Id of the allotment." }),
  point_value: BigInteger({ description: "Increase or decrease applied to the balance." }),
  inserted_at: Type.String({ description: "When the allotment entered the service." }),
  allotted_at: Type.String({ description: "When it was fully processed, UTC without a zone." }),
  alloted_at: Type.String({ description: "The same instant, in the spelling of the field table." }),
  type: Type.String({ description: "Point Allotment Type." }),
  point_balance_uid: Type.String({ description: "Id of the point balance." }),
  allotment_cascade: Nullable(
    Type.Boolean({ description: "Whether it belongs to a larger action, such as an order." }),
  ),
  app_reference: Type.String({ description: "Source application." }),
  object: Nullable(Type.String({ description: "Object involved, such as `line_item-42`." })),
  parent: Nullable(Type.String({ description: "Parent item, such as `order-7`." })),
  action: Nullable(Type.String({ description: "Action that caused it, such as `fulfillment-3`." })),
  event_id: Nullable(Type.Integer({ description: "Null where the platform gives none." })),
  points_deducted: BigInteger({ description: "Points of this allotment that are used up." }),
};

const allotmentExample = {
  uid: "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884",
  point_value: 120,
  inserted_at: "2026-03-01T09:30:00.123456Z",
  allotted_at: "2026-03-01T09:30:00.123456",
  alloted_at: "2026-03-01T09:30:00.123456Z",
  type: "fulfillment",
  point_balance_uid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716",
  allotment_cascade: true,
  app_reference: "shopify_integration",
  object: "line_item-1071823172",
  parent: "order-450789469",
  action: "fulfillment-255858046",
  event_id: null,
  points_deducted: 0,
};

export const allotmentListSchema = Type.Object(
  {
    data: Type.Array(Type.Object(allotmentFields, { title: "Point Allotment", examples: [allotmentExample] })),
    meta: pagingMetaSchema,
  },
  { title: "PointAllotmentList" },
);

export const customerAllotmentListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({ ...allotmentFields, point_balance: pointBalanceSchema }, { title: "CustomerPointAllotment" }),
    ),
    meta: pagingMetaSchema,
  },
  { title: "CustomerPointAllotmentList" },
);

/** Filters and paging of both lists (interface.md 4.1, 4.3). */
export const allotmentQuerySchema = Type.Object({
  ...pagingFields,
  type: Type.Optional(Type.Enum([...ALLOTMENT_TYPE_NAMES], { description: "Only allotments of this type." })),
  before: Type.Optional(Type.String({ description: "Only allotments before this time, which is not included." })),
  after: Type.Optional(Type.String({ description: "Only allotments after this time, which is not included." })),
});

/** For a customer's list: the balance may also be that of a customer who was merged into this one. */
export const customerAllotmentQuerySchema = Type.Object({
  ...allotmentQuerySchema.properties,
  point_balance_uid: Type.Optional(
    Type.String({
      format: "uuid",
      description:
        "Only allotments of this balance: the customer's own, or one of `GET /customers/:id/merged`. Absent: the customer's own.",
    }),
  ),
});

function ownDate(description: string) {
  return Type.String({ minLength: 1, maxLength: 100, description, expected: "an ISO 8601 date-time or date, or null" });
}

/** Allotment Reason (interface.md 2.4). */
const reasonSchema = Type.Object(
  {
    type: Type.Enum([...REASON_TYPES], { description: "Reason type." }),
    note: Type.Optional(
      Nullable(Type.String({ maxLength: 255, description: "Free context, shown on the dashboard." })),
    ),
  },
  { title: "Allotment Reason" },
);

export const createAllotmentSchema = Type.Object(
  {
    customer_id: customerField,
    point_value: Type.Integer({
      minimum: -9_007_199_254_740_991,
      maximum: 9_007_199_254_740_991,
      not: { const: 0 },
      description: "Points to award (positive) or take (negative).",
      expected: "an integer other than 0, from -9007199254740991 to 9007199254740991",
    }),
    reason: Type.Optional(Nullable(reasonSchema)),
    expires_at: Type.Optional(
      Nullable(
        ownDate(
          "When these points expire, regardless of the program; a date includes that whole day. In the future, at most 100 years ahead. Only with a positive `point_value`. Null: as the program says.",
        ),
      ),
    ),
    earned_at: Type.Optional(
      Nullable(
        ownDate(
          "When these points were earned, 1970 or later and not in the future: where each allotment expires by itself, its expiry counts from then. Only with a positive `point_value`. Null: now.",
        ),
      ),
    ),
  },
  {
    title: "NewPointAllotment",
    examples: [{ customer_id: "4567890123", point_value: 120, reason: { type: "compensation", note: "late parcel" } }],
  },
);

const createdFields = {
  id: Type.String({ description: "Id of the allotment." }),
  inserted_at: Type.String(),
  point_value: BigInteger({ examples: [120] }),
};

export const createdAllotmentSchema = Type.Object(
  {
    data: Type.Object({
      ...createdFields,
      uid: Type.String({ description: "The same id, in the spelling of the field table." }),
      point_balance: pointBalanceSchema,
    }),
  },
  { title: "CreatedPointAllotment" },
);

export const createdMinimalSchema = Type.Object(
  { data: Type.Object(createdFields) },
  { title: "CreatedPointAllotmentMinimal" },
);
