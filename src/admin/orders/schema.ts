import { type Static, type TSchema, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const nullableText = Nullable(text);
const number = Type.Integer();
const flag = Type.Boolean();
const list = <Of extends TSchema>(of: Of) => Type.Array(of);
const filter = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description }));

/** The state of an order's points; `no_program`: no person has applied a program, and the stand-in has another currency. */
export const ORDER_STATES = [
  "awarded",
  "pending",
  "waiting",
  "nothing",
  "cancelled",
  "test",
  "other_currency",
  "no_program",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];
const state = Type.Enum([...ORDER_STATES]);

/** Orders that the growth page counts, whatever their points are: all of them, those of customers, those of guests. */
export const SALE_FILTERS = ["sale", "customer_sale", "guest_sale"] as const;
export type SaleFilter = (typeof SALE_FILTERS)[number];

export const ordersQuery = Type.Object({
  q: filter("Id, name (or how it begins), or the buyer's e-mail."),
  state: Type.Optional(Type.Enum([...ORDER_STATES, ...SALE_FILTERS])),
  customer: filter("Id or e-mail of a customer."),
  from: filter("Processed from this time on; a plain date is that day of the store."),
  to: filter("Processed before this time; a plain date is that day of the store, included."),
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
});

/** Minor units. */
const money = Type.Object({ minor: number, currency: text });
const maybeMoney = Nullable(money);
const customer = Type.Object({ id: text, name: nullableText, email: nullableText, is_deleted: flag });

const orderFields = {
  order_id: text,
  name: nullableText,
  state,
  processed_at: text,
  customer: Nullable(customer),
  email: Nullable(Type.String({ description: "The buyer's, where the order waits for its customer." })),
  total: maybeMoney,
  awardable_points: number,
  points_awarded: number,
  points_redeemed: number,
};
const orderRow = Type.Object(orderFields);

const ordersPage = Type.Object({ data: list(orderRow), next: nullableText });
/** `total` is at most `COUNTED_MAX` plus one; null: not counted. */
export const countedOrdersPage = Type.Object({ ...ordersPage.properties, total: Nullable(Type.Integer()) });

const rate = Type.Object({ point_value: number, currency_value: number });
const maybeRate = Nullable(rate);

const rules = Type.Object({
  program_version: number,
  currency: text,
  tier: text,
  rate,
  campaign: nullableText,
  rounding: text,
  include_tax: flag,
  separate_tax: flag,
  award_on: text,
  pending_days: number,
  shortfall: text,
  is_customer_excluded: flag,
  moved_in: Type.Object(
    { points: flag, spend: flag },
    { description: "What of the order came with a file of another app: it does not count again." },
  ),
  excluded_product_tags: list(text),
  bonuses: list(Type.Object({ collection_id: text, name: text, rate })),
});

const line = Type.Object({
  line_id: text,
  title: text,
  quantity: number,
  product_id: nullableText,
  tags: list(text),
  collections: list(text),
  gross: number,
  discount: number,
  base: number,
  left: Type.String({ description: "The part of its money that refunds left, 0 to 1." }),
  rate: maybeRate,
  bonus: maybeRate,
  points_exact: text,
  points_given: number,
  points_taken: Type.Integer({ description: "At most 0; shares of what was taken back for the order." }),
  excluded_by: nullableText,
});

const units = list(Type.Object({ line_id: text, quantity: number }));
const fulfillment = Type.Object({ id: text, status: text, created_at: text, lines: units });
const refund = Type.Object({ id: text, created_at: text, money_moved: Nullable(number), lines: units });

const coupon = Type.Object({
  code: text,
  points: number,
  currency_value: number,
  used_at: text,
  is_late: flag,
  returned_points: number,
});

const posting = Type.Object({
  cause: text,
  type: nullableText,
  wanted: number,
  taken: number,
  outcome: text,
  uid: nullableText,
  line_id: nullableText,
  allotted_at: nullableText,
  customer: Nullable(namedCustomer),
});

const receipt = Type.Object({
  uid: text,
  topic: text,
  adapter: text,
  state: text,
  note: nullableText,
  received_at: text,
});

const task = Type.Object({
  uid: text,
  kind: text,
  points: number,
  cause: nullableText,
  created_at: text,
  done_at: nullableText,
  done_by: nullableText,
});

export const orderAnswer = Type.Object({
  data: Type.Object({
    ...orderFields,
    platform: text,
    received_at: text,
    paid_at: nullableText,
    cancelled_at: nullableText,
    cancel_reason: nullableText,
    financial_status: nullableText,
    fulfillment_status: nullableText,
    channel: nullableText,
    due_at: Nullable(Type.String({ description: "When more of it is awarded." })),
    forgiven_points: number,
    owed_points: number,
    set_off_points: number,
    subtotal: maybeMoney,
    discount_total: maybeMoney,
    shipping_total: maybeMoney,
    tax_total: maybeMoney,
    rules: Nullable(rules),
    lines: list(line),
    fulfillments: list(fulfillment),
    refunds: list(refund),
    coupons: list(coupon),
    postings: list(posting),
    receipts: list(receipt),
    tasks: list(task),
  }),
});

export const orderParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 1_000 }) });
export const taskParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 1_000 }),
  uid: Type.String({ format: "uuid" }),
});

const sums = Type.Object({
  awardable_points: number,
  points_awarded: number,
  points_redeemed: number,
  forgiven_points: number,
});
const product = Type.Object({ tags: list(text), collections: list(text) });

export const recomputeAnswer = Type.Object({
  data: Type.Object({
    is_changed: flag,
    digest: Type.String({ description: "Of all that is shown: what is written is this or nothing." }),
    before: sums,
    after: sums,
    postings: list(Type.Object({ cause: text, type: nullableText, wanted: number, taken: number, outcome: text })),
    products: list(Type.Object({ product_id: text, before: Nullable(product), after: product })),
    customer_excluded: Nullable(Type.Object({ before: flag, after: flag })),
  }),
});

export const recomputeBody = Type.Object(
  { digest: Type.String({ minLength: 1, maxLength: 100, expected: "the `digest` of what was shown" }) },
  { additionalProperties: false },
);

export const taskDoneAnswer = Type.Object({ data: Type.Object({ uid: text, done_at: text, done_by: text }) });

export type OrderRow = Static<typeof orderRow>;
export type OrdersPage = Static<typeof ordersPage>;
export type CountedOrdersPage = Static<typeof countedOrdersPage>;
export type OrdersQuery = Static<typeof ordersQuery>;
export type OrderDetail = Static<typeof orderAnswer>["data"];
export type RecomputedView = Static<typeof recomputeAnswer>["data"];
