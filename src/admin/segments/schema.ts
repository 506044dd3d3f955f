import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { MONTH_PATTERN } from "../../liability/month.ts";
import { ACTIVITIES } from "../../segments/segment-filter.ts";
import { ORIGINS, REASON_TYPES } from "../../wire/allotment-choices.ts";
import { WIRE_NOTE_MAX } from "../../wire/limits.ts";
import { seenRevision } from "../seen-revision.ts";

const text = Type.String();
const count = Type.Integer();
const MANY = 9_007_199_254_740_991;
const amount = Type.Optional(Type.Integer({ minimum: 0, maximum: MANY }));
const days = Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 }));
const month = Type.Optional(Type.String({ pattern: MONTH_PATTERN, expected: "a month, such as 2026-03" }));
const tags = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 20 }));

/** Conditions that must all be met. Money is in minor units of the store's currency. */
const filterBody = Type.Object(
  {
    spend_min: amount,
    spend_max: amount,
    orders_min: amount,
    orders_max: amount,
    ordered_within_days: days,
    not_ordered_for_days: days,
    activity: Type.Optional(Type.Enum([...ACTIVITIES])),
    active_within_days: days,
    points_min: amount,
    points_max: amount,
    expiring_within_months: Type.Optional(Type.Integer({ minimum: 1, maximum: 120 })),
    tiers: Type.Optional(
      Type.Array(Type.String({ format: "uuid", expected: "a tier's uid" }), { minItems: 1, maxItems: 50 }),
    ),
    tags,
    without_tags: tags,
    birthday_month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
    accepts_marketing: Type.Optional(Type.Boolean()),
    language: Type.Optional(
      Type.String({ pattern: "^[a-z]{2,3}$", expected: "a language, such as ja, or und: not known" }),
    ),
    joined_within_days: days,
    joined_month: month,
    first_ordered_month: month,
    lapsed_month: month,
  },
  { additionalProperties: false },
);

export const segmentBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 255 }), filter: filterBody, revision: seenRevision },
  { additionalProperties: false },
);
export const segmentPreviewBody = Type.Object({ filter: filterBody }, { additionalProperties: false });
export const segmentParams = Type.Object({ uid: Type.String({ format: "uuid" }) });
export const segmentCustomersQuery = Type.Object({ after: Type.Optional(Type.String({ maxLength: 100 })) });

const segment = Type.Object({
  uid: text,
  name: text,
  filter: filterBody,
  revision: text,
  created_by: text,
  created_at: text,
  customers: Nullable(Type.Integer({ description: "Null: not counted yet." })),
  counted_at: Nullable(text),
  progress: Type.Unsafe<number | null>({
    type: ["number", "null"],
    description: "Of the count that goes on, 0 to 1; null: none does.",
  }),
});
export const segmentsAnswer = Type.Object({
  data: Type.Array(segment),
  tiers: Type.Array(Type.Object({ uid: text, name: text })),
});
export const segmentAnswer = Type.Object({ data: segment });
export const segmentPreviewAnswer = Type.Object({
  data: Type.Object({ customers: count, is_exact: Type.Boolean() }),
});

const segmentCustomer = Type.Object({
  id: text,
  name: Nullable(text),
  email: Nullable(text),
  tier: Nullable(text),
  points: count,
  orders: count,
  spend_minor: count,
  last_order_at: Nullable(text),
});
export const segmentCustomersAnswer = Type.Object({ data: Type.Array(segmentCustomer), next: Nullable(text) });

const source = {
  segment: Type.Optional(Type.String({ format: "uuid" })),
  customers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: 500 })),
  request_uid: Type.Optional(
    Type.String({ format: "uuid", description: "Of an action on customers: another one may be the same in all else." }),
  ),
};
export const bulkPointsBody = Type.Object(
  {
    ...source,
    points: Type.Integer({ minimum: -MANY, maximum: MANY, expected: "points, not 0" }),
    reason_type: Type.Union([Type.Enum([...REASON_TYPES]), Type.Null()]),
    origin: Type.Optional(Type.Enum([...ORIGINS])),
    note: Nullable(Type.String({ maxLength: WIRE_NOTE_MAX })),
  },
  { additionalProperties: false },
);
export const bulkTierBody = Type.Object(
  {
    ...source,
    tier: Type.String({ format: "uuid", expected: "a tier's uid" }),
    skip_next_check: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export const bulkAnswer = Type.Object({
  data: Type.Object({ import: Type.String({ description: "To be reviewed, started and, if need be, undone." }) }),
});

export type FilterBody = Static<typeof filterBody>;
export type SegmentRow = Static<typeof segment>;
export type SegmentsAnswer = Static<typeof segmentsAnswer>;
export type SegmentCustomer = Static<typeof segmentCustomer>;
export type SegmentCustomersAnswer = Static<typeof segmentCustomersAnswer>;
export type BulkAnswer = Static<typeof bulkAnswer>;
export type PreviewAnswer = Static<typeof segmentPreviewAnswer>;
