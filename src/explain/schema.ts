import { type TSchema, Type } from "typebox";
import { asOfField } from "../http/as-of-field.ts";
import { BigInteger } from "../http/big-integer.ts";
import { customerParam } from "../http/customer-ref.ts";
import { Nullable } from "../http/nullable.ts";
import { ALLOTMENT_TYPE_NAMES } from "../ledger/allotment-types.ts";
import { breakdownFields, rulesFields } from "../orders/preview/schema.ts";
import { pointBalanceSchema } from "../points/balances/schema.ts";
import { ACCOUNT_KINDS } from "../wire/account-kinds.ts";
import { LANGUAGES } from "../wire/language.ts";

const points = BigInteger({});
const text = Type.String();
const nullableText = Nullable(text);
const time = Type.String({ format: "date-time", examples: ["2026-03-01T09:30:00.123456Z"] });
const nullableTime = Nullable(time);
const type = Type.String({ enum: [...ALLOTMENT_TYPE_NAMES] });
const words = Type.Array(text, { description: "The same as sentences, with times in the store's time zone." });
const list = <Of extends TSchema>(of: Of) => Type.Array(of);

const language = Type.Optional(
  Type.Enum([...LANGUAGES], { description: "Of `words`; English when absent.", examples: ["ja"] }),
);

export const allotmentParams = Type.Object({ uid: Type.String({ description: "Id of the allotment." }) });
export const explainedCustomerParams = Type.Object({ id: customerParam });
export const allotmentQuery = Type.Object({ language });
export const tierExplanationQuery = Type.Object({ language, as_of: asOfField });
export const balanceQuery = Type.Object({
  language,
  as_of: asOfField,
  since: Type.Optional(
    Type.String({ description: "The opening is the balance at this time; absent: 0, and everything counts." }),
  ),
});

const draw = Type.Object(
  { points, uid: text, type, allotted_at: time, object: nullableText, parent: nullableText },
  { title: "ExplainedDraw" },
);

const refund = Type.Object(
  {
    refund_id: text,
    created_at: time,
    money_moved: Nullable(BigInteger({ description: "Minor units; null: not known." })),
    lines: list(Type.Object({ line_id: text, quantity: Type.Number(), restock: text, subtotal: points })),
  },
  { title: "ExplainedRefund" },
);

const step = Type.Object(
  {
    kind: Type.String({ enum: ["award", "refund", "cancellation", "correction"] }),
    line_id: Nullable(Type.String({ description: "Of an award." })),
    fulfillment_id: Nullable(Type.String({ description: "Null: awarded on payment, or no award." })),
    units: Nullable(Type.Number()),
    is_tax: Type.Boolean({ description: "The tax that is awarded apart." }),
    exact_before: Type.String({ description: "Sum of what had shipped, before rounding.", examples: ["19.8"] }),
    exact_after: text,
    before: BigInteger({ description: "The same, rounded: what had been given." }),
    after: BigInteger({ description: "What is to have been given." }),
    refund: Nullable(refund),
  },
  { title: "RoundingStep", description: "By cumulative rounding: `after` less `before` was requested." },
);

const order = Type.Object(
  {
    id: text,
    awardable_points: points,
    points_awarded: points,
    points_redeemed: points,
    forgiven_points: points,
    rules: Type.Object(rulesFields, { title: "OrderRules" }),
    lines: list(Type.Object(breakdownFields, { title: "ExplainedLine" })),
    cause: nullableText,
    step: Nullable(step),
    wanted: Nullable(points),
    taken: Nullable(points),
    forgiven: Nullable(
      BigInteger({
        description: "Points that should have been taken but were not, because the balance was too small.",
      }),
    ),
    set_off: Nullable(
      BigInteger({
        description: "Requested but not given: set off against points of the order that could not be taken back.",
      }),
    ),
    outcome: nullableText,
    is_reproduced: Nullable(
      Type.Boolean({ description: "Whether the stored facts still give what was requested; false after an edit." }),
    ),
    postings: list(
      Type.Object(
        { cause: text, wanted: points, taken: points, outcome: text, uid: nullableText, allotted_at: nullableTime },
        { title: "OrderPosting", description: "All that the order posted or settled." },
      ),
    ),
  },
  { title: "ExplainedOrder" },
);

const coupon = Type.Object(
  {
    id: text,
    code: text,
    point_value: points,
    currency_value: points,
    state: text,
    issued_at: time,
    expires_at: time,
    used_by: Nullable(Type.String({ description: "The order." })),
  },
  { title: "ExplainedCoupon" },
);

const expiration = Type.Object(
  {
    mode: text,
    delay_months: Nullable(Type.Integer()),
    sweep: text,
    shortened_at: nullableTime,
    active_at: Nullable(Type.String({ description: "The last extending activity before it." })),
    lots: list(
      Type.Object({
        uid: text,
        points,
        since: time,
        own_date: nullableTime,
        expired_at: Nullable(Type.String({ description: "Until when the points were good." })),
      }),
    ),
  },
  { title: "ExplainedExpiration" },
);

export const allotmentExplanation = Type.Object(
  {
    data: Type.Object({
      uid: text,
      customer_id: text,
      type,
      point_value: points,
      allotted_at: time,
      version: BigInteger({ description: "Its place in the customer's ledger." }),
      balance_before: points,
      balance_after: points,
      source_key: Type.String({ description: "The natural key that lets it count once." }),
      object: nullableText,
      parent: nullableText,
      action: nullableText,
      origin: nullableText,
      extends_expiration: Type.Boolean(),
      earned_at: Nullable(Type.String({ description: "When its points were earned, if they were posted later." })),
      own_date: Nullable(Type.String({ description: "The points' own expiry date, which no setting changes." })),
      settled_debt: Nullable(BigInteger({ description: "Points that were owed until it set the balance." })),
      program: Type.Object({ version: Type.Integer(), author: nullableText, valid_from: nullableTime }),
      asked_by: Type.Object({
        app_reference: text,
        credential: Nullable(Type.String({ description: "Its name, where a credential asked." })),
        actor: nullableText,
        reason_type: nullableText,
        note: nullableText,
      }),
      received: list(
        Type.Object(
          { topic: text, adapter: text, delivery_key: text, received_at: time, state: text },
          { title: "ReceivedEvent" },
        ),
      ),
      draws: list(draw),
      used_by: list(draw),
      lots: list(Type.Object({ part: Type.Integer(), remaining: points, expires_at: nullableTime })),
      order: Nullable(order),
      coupon: Nullable(coupon),
      expiration: Nullable(expiration),
      words,
    }),
  },
  { title: "AllotmentExplanation" },
);

export const balanceExplanation = Type.Object(
  {
    data: Type.Object({
      as_of: time,
      program_version: Type.Integer(),
      version: points,
      point_balance: pointBalanceSchema,
      since: nullableTime,
      history: list(
        Type.Object(
          {
            source: Type.String({ description: "The app where the customer had points before." }),
            before: time,
            earned: points,
            used: points,
            expired: points,
            adjusted: points,
            moved_in: BigInteger({ description: "What came by imports that are not undone: part of `by_type`." }),
          },
          { title: "ExplainedHistory" },
        ),
      ),
      opening: points,
      by_type: list(Type.Object({ type, count: points, given: points, taken: points, points })),
      account: Type.Object(
        {
          lines: list(
            Type.Object({
              kind: Type.Enum([...ACCOUNT_KINDS], {
                description: "What moved the points, in the customer's words.",
              }),
              count: points,
              given: points,
              taken: points,
              points,
            }),
          ),
          orders: Nullable(
            BigInteger({ description: "Orders that gave points; null: the history is too long to count." }),
          ),
          expiries: list(Type.Object({ expires_at: nullableTime, points })),
          later: BigInteger({ description: "Available points that expire after `expiries`, or never." }),
        },
        { title: "BalanceAccount", description: "`opening` and all `points` of its lines are `ledger_points`." },
      ),
      ledger_points: BigInteger({ description: "`opening` and all of `by_type`; what the lots hold." }),
      held_points: points,
      due_points: BigInteger({ description: "At their date, and not written off yet." }),
      owed_points: Nullable(
        BigInteger({ description: "Deducted from the next points earned; null: the request was for a past moment." }),
      ),
      lots: list(
        Type.Object(
          {
            uid: nullableText,
            type: nullableText,
            point_value: Nullable(points),
            allotted_at: nullableTime,
            object: nullableText,
            parent: nullableText,
            order_name: nullableText,
            line_title: nullableText,
            remaining: points,
            expires_at: nullableTime,
          },
          { title: "ExplainedLot" },
        ),
      ),
      lot_count: Type.Integer({ description: "At most 250 are shown, soonest expiry first." }),
      words,
    }),
  },
  { title: "BalanceExplanation" },
);

const money = Type.Object({ amount: text, currency: text, raw_amount: points });

export const tierExplanation = Type.Object(
  {
    data: Type.Object({
      id: text,
      as_of: time,
      program_version: Type.Integer(),
      tier: text,
      tier_uid: text,
      minimum_tier: nullableText,
      skip_next_check: Type.Boolean(),
      kept_tier: Nullable(Type.String({ description: "A floor until `kept_until`." })),
      kept_until: nullableTime,
      on_miss: text,
      last_change: Nullable(
        Type.Object({
          changed_at: time,
          from: nullableText,
          to: nullableText,
          cause: text,
          actor: nullableText,
          check_at: nullableTime,
          spend: Nullable(BigInteger({ description: "Minor units, in the window of that check." })),
        }),
      ),
      next_check: time,
      window_start: time,
      spent: money,
      spent_elsewhere: Type.Object(money.properties, {
        description: "The part of `spent` before the customer's orders here.",
      }),
      orders: list(Type.Object({ id: text, credited_at: time, spend: points })),
      to_keep: money,
      next_tier: nullableText,
      to_rise: Nullable(money),
      words,
    }),
  },
  { title: "TierExplanation" },
);
