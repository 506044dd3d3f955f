import { type TSchema, Type } from "typebox";
import { PAYLOADS } from "./wire-payloads.ts";

/**
 * The body of `POST /intake/events` for the reference page (docs/intake-events.md). It only describes; `parseNeutralEvents` validates a
 * body, because a validator that works with doubles cannot see the digits of an id.
 */
const Id = Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Integer()], {
  description: "An id of the platform: opaque, every digit kept",
});
const Instant = Type.String({ format: "date-time", description: "ISO 8601; without a zone it is UTC" });
const Money = Type.Object(
  { minor: Type.Union([Type.Integer(), Type.String({ pattern: "^-?[0-9]{1,16}$" })]), currency: Type.String() },
  { title: "Money", additionalProperties: false, description: "Integer minor units of an ISO 4217 currency" },
);
const UnitPrice = Type.Object(
  {
    minor: Type.Union([Type.Number(), Type.String({ pattern: "^[0-9]{1,16}(\\.[0-9]{1,6})?$" })]),
    currency: Type.String(),
  },
  {
    title: "UnitPrice",
    additionalProperties: false,
    description: "As money, with at most 6 decimal places of a minor unit",
  },
);
const Quantity = Type.Number({ minimum: 0, maximum: 1e9, description: "At most 6 decimal places" });
const OrNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Opt = Type.Optional;

const Fulfillment = Type.Object(
  {
    fulfillment_id: Id,
    status: Opt(Type.String({ enum: ["success", "pending", "cancelled", "error", "failure"] })),
    created_at: Opt(Instant),
    updated_at: Opt(Instant),
    lines: Opt(Type.Array(Type.Object({ line_id: Id, quantity: Quantity }))),
  },
  { title: "NeutralFulfillment" },
);

const Refund = Type.Object(
  {
    refund_id: Id,
    created_at: Opt(Instant),
    lines: Opt(
      Type.Array(
        Type.Object({
          line_id: Id,
          quantity: Quantity,
          restock: Opt(Type.String({ enum: ["unknown", "no_restock", "cancel", "return", "legacy_restock"] })),
          subtotal: Money,
          tax: Opt(Money),
        }),
      ),
    ),
    shipping: Opt(Money),
    shipping_tax: Opt(Money),
    other_adjustments: Opt(Money),
    money_moved: Opt(OrNull(Money)),
  },
  { title: "NeutralRefund" },
);

const Line = Type.Object(
  {
    line_id: Id,
    product_id: Opt(OrNull(Id)),
    variant_id: Opt(OrNull(Id)),
    title: Opt(Type.String()),
    quantity: Quantity,
    current_quantity: Opt(OrNull(Quantity)),
    unit_price: UnitPrice,
    discounts: Opt(
      Type.Array(Type.Object({ code: Opt(OrNull(Type.String())), discount_ref: Opt(Type.String()), amount: Money })),
    ),
    tax: Opt(Money),
    kind: Opt(Type.String({ enum: ["product", "gift_card", "tip", "custom", "fee"] })),
    requires_shipping: Opt(
      Type.Boolean({ description: "Default: true; false: it earns as soon as the order is paid" }),
    ),
    tags: Opt(Type.Array(Type.String())),
    collections: Opt(Type.Array(Id)),
  },
  { title: "NeutralOrderLine" },
);

const Order = Type.Object(
  {
    order_id: Id,
    customer_id: Opt(OrNull(Id)),
    email: Opt(OrNull(Type.String())),
    processed_at: Opt(Instant),
    updated_at: Opt(Instant),
    paid_at: Opt(OrNull(Instant)),
    cancelled_at: Opt(OrNull(Instant)),
    financial_status: Opt(Type.String()),
    fulfillment_status: Opt(Type.String({ description: "`fulfilled` fulfils what is open" })),
    discount_total: Opt(Money),
    shop_currency: Opt(Type.String()),
    taxes_included: Opt(Type.Boolean()),
    lines: Opt(Type.Array(Line)),
    coupons: Opt(Type.Array(Type.Object({ code: Type.String(), amount: Opt(Money), type: Opt(Type.String()) }))),
    fulfillments: Opt(Type.Array(Fulfillment)),
    refunds: Opt(Type.Array(Refund)),
  },
  { title: "NeutralOrder" },
);

const Customer = Type.Object(
  {
    customer_id: Id,
    email: Opt(OrNull(Type.String())),
    name: Opt(OrNull(Type.String())),
    name_reading: Opt(OrNull(Type.String({ description: "How the name is read (furigana)" }))),
    account_enabled: Opt(Type.Boolean()),
    accepts_marketing: Opt(Type.Boolean()),
    consent_updated_at: Opt(Instant),
    birthday: Opt(OrNull(Type.String({ description: "1990-05-17, or --05-17 without the year" }))),
    locale: Opt(Type.String({ description: "ja-JP" })),
    created_at: Opt(Instant),
    tags: Opt(Type.Array(Type.String())),
    tags_added: Opt(Type.Array(Type.String())),
    tags_removed: Opt(Type.Array(Type.String())),
  },
  { title: "NeutralCustomer" },
);

const Payload = Type.Union([
  Order,
  Customer,
  Type.Object({ order_id: Id, fulfillment: Fulfillment }, { title: "NeutralFulfillmentOfOrder" }),
  Type.Object({ order_id: Id, refund: Refund }, { title: "NeutralRefundOfOrder" }),
  Type.Object(
    {},
    { title: "NeutralPayload", additionalProperties: true, description: "The other types: see the documentation" },
  ),
]);

const NeutralEventSchema = Type.Object(
  {
    type: Type.String({ enum: [...PAYLOADS.keys()] }),
    payload: Payload,
    delivery_key: Opt(Type.String({ maxLength: 255, description: "The same key is taken once" })),
    platform: Opt(Type.String({ maxLength: 255 })),
    occurred_at: Opt(Instant),
    entity_version: Opt(Instant),
    test: Opt(Type.Boolean()),
  },
  {
    title: "NeutralEvent",
    examples: [
      {
        type: "OrderFulfilled",
        delivery_key: "shipment-9001",
        occurred_at: "2026-03-02T10:00:00+09:00",
        payload: {
          order_id: "A-1001",
          fulfillment: { fulfillment_id: "S-9001", lines: [{ line_id: "A-1001-1", quantity: 2 }] },
        },
      },
    ],
  },
);

/** One event, a list of at most 1,000, or the list under `events`. */
export const NeutralEventsBodySchema = Type.Union([
  NeutralEventSchema,
  Type.Object({ events: Type.Array(NeutralEventSchema, { maxItems: 1000 }) }, { title: "NeutralEventBatch" }),
  Type.Array(NeutralEventSchema, { maxItems: 1000 }),
]);
