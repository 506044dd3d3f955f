import { type Static, type TSchema, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { ALLOTMENT_TYPE_NAMES } from "../../ledger/allotment-types.ts";
import { ORIGINS, type Origin, REASON_TYPES, type ReasonType } from "../../wire/allotment-choices.ts";
import { LANGUAGES } from "../../wire/language.ts";
import { WIRE_NOTE_MAX } from "../../wire/limits.ts";
import { EDITABLE_FIELDS } from "../../wire/profile-fields.ts";

const text = Type.String();
const nullableText = Nullable(text);
const time = Type.String({ format: "date-time" });
const nullableTime = Nullable(time);
const points = Type.Integer();
const language = Type.Optional(Type.Enum([...LANGUAGES]));

const POINTS = { minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 };

const list = <Of extends TSchema>(of: Of) => Type.Object({ data: Type.Array(of), next: nullableText });
const one = <Of extends TSchema>(of: Of) => Type.Object({ data: of });

export const shownCustomerParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 1_000 }) });
export const customerAllotmentParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 1_000 }),
  uid: Type.String({ format: "uuid", expected: "the id of an allotment" }),
});

export const customersQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200 })),
  sort: Type.Optional(Type.Enum(["newest", "points"])),
  tier: Type.Optional(Type.String({ format: "uuid", expected: "a tier's uid" })),
  after: Type.Optional(Type.String({ maxLength: 500 })),
});

const customerRow = Type.Object({
  id: text,
  uid: text,
  name: nullableText,
  email: nullableText,
  tier: nullableText,
  points,
  expires_at: nullableTime,
  last_activity_at: nullableTime,
  created_at: time,
  deleted_at: nullableTime,
});
export const customersAnswer = Type.Object({
  data: Type.Array(customerRow),
  next: nullableText,
  tiers: Type.Array(Type.Object({ uid: text, name: text })),
  /** The number of customers that a search found; null: not a search. */
  found: Nullable(Type.Object({ count: Type.Integer(), has_more: Type.Boolean() })),
  /** The number at the last count; null: a search, or not counted yet. */
  total: Nullable(Type.Integer()),
});

const tierProgress = Type.Object({ uid: text, name: text, requirement: points, remaining: points });
const customerTier = Type.Object({
  uid: text,
  name: text,
  minimum_tier_uid: nullableText,
  minimum_tier: nullableText,
  skip_next_check: Type.Boolean(),
  kept_tier: nullableText,
  kept_until: nullableTime,
  deadline: time,
  spent: points,
  next_uid: nullableText,
  to_keep: points,
  tiers: Type.Array(tierProgress),
});

const waitingRequest = Type.Object({
  uid: text,
  kind: text,
  point_value: points,
  balance: Nullable(points),
  undoes: nullableText,
  removed_id: Nullable(Type.String({ description: "Of `merge`: who becomes part of the customer." })),
  kept_id: Nullable(Type.String({ description: "Of `merge`: of whom the customer becomes part." })),
  requested_name: text,
  requested_at: time,
});

const customerHead = Type.Object({
  id: text,
  uid: text,
  name: nullableText,
  name_reading: nullableText,
  email: nullableText,
  birthday: nullableText,
  accepts_marketing: Nullable(Type.Boolean()),
  unsubscribed_at: nullableTime,
  account_enabled: Nullable(Type.Boolean()),
  tags: Type.Array(text),
  /** The fields that the store's platform provides; they are changed there. */
  platform_fields: Type.Array(Type.Enum([...EDITABLE_FIELDS])),
  created_at: time,
  deleted_at: nullableTime,
  balance: Type.Object({
    available: points,
    held: points,
    owed: points,
    expires_at: nullableTime,
    delay_months: Nullable(Type.Integer()),
  }),
  expiries: Type.Array(Type.Object({ expires_at: time, points })),
  tier: Type.Unsafe<Static<typeof customerTier> | null>({ ...customerTier, type: ["object", "null"] }),
  merged: Type.Array(Type.Object({ id: text, uid: text, merged_at: time })),
  waiting: Type.Array(waitingRequest),
  /** The number of notes. */
  notes: Type.Integer(),
  sales: Type.Object({ orders: points, revenue_minor: points, last_at: nullableTime }),
});
export const customerHeadAnswer = one(customerHead);

export const timelineQuery = Type.Object({
  type: Type.Optional(Type.Enum([...ALLOTMENT_TYPE_NAMES])),
  balance: Type.Optional(
    Type.String({ format: "uuid", expected: "the id of a customer who was merged into this one" }),
  ),
  after: Type.Optional(Type.String({ pattern: "^\\d{1,15}$", expected: "the `next` of this list" })),
});
const ledgerRow = Type.Object({
  uid: text,
  version: points,
  type: text,
  point_value: points,
  balance_after: points,
  allotted_at: time,
  app_reference: text,
  object: nullableText,
  parent: nullableText,
  order_name: nullableText,
  action: nullableText,
  origin: nullableText,
  reason_type: nullableText,
  earned_at: nullableTime,
  own_date: nullableTime,
  note: nullableText,
  actor: nullableText,
  approved_by: nullableText,
  extends_expiration: Type.Boolean(),
  undone_by: nullableText,
  undoes: Nullable(Type.String({ description: "What it undoes: `adjustment` or `import`." })),
  can_undo: Type.Boolean(),
});
export const ledgerAnswer = list(ledgerRow);

export const pageQuery = Type.Object({ after: Type.Optional(Type.String({ maxLength: 500 })) });

const couponRow = Type.Object({
  uid: text,
  code: text,
  point_value: points,
  currency_value: points,
  state: text,
  issued_at: time,
  expires_at: time,
  used_by: Nullable(Type.String({ description: "The id of the order." })),
  used_by_name: Nullable(Type.String({ description: "As the platform calls the order, if it is known." })),
});
export const couponsAnswer = list(couponRow);

const orderRow = Type.Object({
  id: text,
  name: nullableText,
  processed_at: nullableTime,
  total: Nullable(points),
  currency: nullableText,
  awardable_points: points,
  awarded_points: points,
  redeemed_points: points,
});
export const ordersAnswer = list(orderRow);

const reservationRow = Type.Object({
  uid: text,
  point_value: points,
  captured_points: points,
  state: text,
  app_reference: text,
  held_at: time,
  expires_at: nullableTime,
});
export const reservationsAnswer = list(reservationRow);

const historyRow = Type.Object({
  id: text,
  occurred_at: time,
  points,
  kind: text,
  source: text,
  note: nullableText,
});
export const historyAnswer = list(historyRow);

const tierChangeRow = Type.Object({
  changed_at: time,
  from: nullableText,
  to: nullableText,
  cause: text,
  actor: nullableText,
  spend: Nullable(points),
});
export const customerTierChangesAnswer = list(tierChangeRow);

export const explanationQuery = Type.Object({ language });
const explanation = Type.Object({
  words: Type.Array(text),
  point_value: points,
  order_id: nullableText,
  order_name: nullableText,
});
export const explanationAnswer = one(explanation);

const pointValue = Type.Integer({
  ...POINTS,
  not: { const: 0 },
  expected: "an integer other than 0, from -9007199254740991 to 9007199254740991",
});
const balance = Type.Integer({ minimum: 0, maximum: POINTS.maximum });

export const previewQuery = Type.Object({
  point_value: Type.Optional(pointValue),
  balance: Type.Optional(balance),
  undo: Type.Optional(Type.String({ format: "uuid", expected: "the id of an allotment" })),
  extends_expiration: Type.Optional(Type.Enum(["true", "false"])),
});
const preview = Type.Object({
  point_value: points,
  missing: points,
  expired: points,
  balance_before: points,
  balance_after: points,
  expires_before: nullableTime,
  expires_after: nullableTime,
  needs_approval: Type.Boolean(),
  excess: nullableText,
  earlier_points: points,
  earlier_of_day: points,
  refusal: nullableText,
});
export const adjustmentPreviewAnswer = one(preview);

const requestUid = Type.String({ format: "uuid", expected: "a UUID, made when the form opened" });

export const adjustmentBody = Type.Object(
  {
    request_uid: requestUid,
    point_value: Type.Optional(pointValue),
    balance: Type.Optional(balance),
    reason_type: Type.Optional(
      Type.Unsafe<ReasonType | null>({ type: ["string", "null"], enum: [...REASON_TYPES, null] }),
    ),
    note: Type.Optional(Nullable(Type.String({ maxLength: WIRE_NOTE_MAX }))),
    extends_expiration: Type.Optional(Type.Boolean()),
    origin: Type.Optional(Type.Unsafe<Origin | null>({ type: ["string", "null"], enum: [...ORIGINS, null] })),
  },
  { additionalProperties: false },
);
export const undoBody = Type.Object({ request_uid: requestUid }, { additionalProperties: false });

const adjusted = Type.Object({
  state: Type.Enum(["posted", "waiting", "refused", "withdrawn", "expired"]),
  allotment_uid: nullableText,
  request_uid: nullableText,
  point_value: points,
  missing: points,
  balance: points,
  expires_at: nullableTime,
});
export const adjustedAnswer = one(adjusted);

export const tierBody = Type.Object(
  {
    tier: Type.Optional(text),
    minimum_tier: Type.Optional(nullableText),
    skip_next_check: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export const tierPlacedAnswer = one(
  Type.Object({ tier: text, minimum_tier: nullableText, skip_next_check: Type.Boolean() }),
);

export type CustomerList = Static<typeof customersAnswer>;
export type ListedCustomerRow = Static<typeof customerRow>;
export type CustomerHead = Static<typeof customerHead>;
export type CustomerTier = Static<typeof customerTier>;
export type TimelineEntry = Static<typeof ledgerRow>;
export type CouponRow = Static<typeof couponRow>;
export type CustomerOrderRow = Static<typeof orderRow>;
export type HistoryRow = Static<typeof historyRow>;
export type ReservationRow = Static<typeof reservationRow>;
export type CustomerTierChange = Static<typeof tierChangeRow>;
export type Explanation = Static<typeof explanation>;
export type ShownAdjustmentPreview = Static<typeof preview>;
export type AdjustmentBody = Static<typeof adjustmentBody>;
export type AdjustedPoints = Static<typeof adjusted>;
export type TierBody = Static<typeof tierBody>;
