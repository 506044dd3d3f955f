import { Type } from "typebox";
import { BigInteger } from "../http/big-integer.ts";
import { Nullable } from "../http/nullable.ts";

const money = Type.Object(
  {
    amount: Type.String({ description: "Major units." }),
    currency: Type.String(),
    raw_amount: Type.Integer({ description: "Minor units." }),
  },
  { title: "Money", examples: [{ amount: "38000", currency: "JPY", raw_amount: 38000 }] },
);

const coupon = Type.Object(
  {
    code: Type.String({ description: "What the customer enters.", examples: ["ACDE-3467-WXYR"] }),
    value: money,
    points: BigInteger({ description: "Points that it cost." }),
    expires_at: Type.String({ description: "Until when it can be used.", examples: ["2026-03-02T09:30:00.123456Z"] }),
  },
  { title: "CustomerCoupon" },
);

const nextTier = Type.Object(
  { name: Type.String(), requirement: money, remaining: money },
  { title: "NextTier", description: "The next tier up." },
);

const tier = Type.Object(
  {
    name: Type.String({ examples: ["Silver"] }),
    spent: money,
    deadline: Type.String({ description: "The next check.", examples: ["2026-04-01T00:00:00.000000Z"] }),
    next: Nullable(nextTier),
    to_keep: Nullable({
      ...money,
      description: "What must still be spent to keep the tier; null: it cannot be lost, or is already kept.",
    }),
  },
  { title: "CustomerStanding" },
);

export const summaryAnswer = Type.Object(
  {
    data: Type.Object({
      points: BigInteger({ description: "Available." }),
      worth: money,
      time_zone: Type.String({ description: "The store's: dates are its days.", examples: ["Asia/Tokyo"] }),
      expiries: Type.Array(
        Type.Object({ expires_at: Type.String({ examples: ["2027-03-01T15:00:00.000000Z"] }), points: BigInteger({}) }),
        { description: "The next three dates, soonest first." },
      ),
      tier: Nullable(tier),
      redemption: Nullable(
        Type.Object(
          {
            point_worth: money,
            lifetime_hours: Type.Integer({ description: "How long a new coupon can be used." }),
          },
          {
            title: "Redemption",
            description: "The rate at which points are redeemed; null: the token does not allow it.",
          },
        ),
      ),
      coupons: Type.Array(coupon, {
        description: "Neither used nor expired; at most ten, sorted by expiry, soonest first.",
      }),
    }),
  },
  { title: "CustomerSummary" },
);

const amount = (description: string) =>
  Type.String({
    pattern: "^[0-9]{1,15}(\\.[0-9]{1,6})?$",
    description,
    examples: ["1100"],
    expected: "a decimal of major units such as 12.50",
  });

const productId = Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Integer({ minimum: 0 })], {
  expected: "a product's id: a string of 1 to 255 characters, or an integer",
});

const LINES_MAX = 250;

export const cartBody = Type.Object(
  {
    currency: Type.Optional(
      Type.String({ pattern: "^[A-Z]{3}$", description: "Of all amounts; absent: the store's.", examples: ["JPY"] }),
    ),
    taxes_included: Type.Optional(Type.Boolean({ description: "Whether prices include the tax." })),
    lines: Type.Array(
      Type.Object(
        {
          product_id: productId,
          quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: "1 when absent." })),
          price: amount("Of one piece, major units."),
          discount: Type.Optional(amount("Of the whole line, major units.")),
          tax: Type.Optional(amount("Of the whole line, major units.")),
        },
        { title: "CartLine" },
      ),
      { minItems: 1, maxItems: LINES_MAX },
    ),
  },
  { title: "Cart", examples: [{ lines: [{ product_id: "7700", quantity: 2, price: "1100" }] }] },
);

export const cartAnswer = Type.Object(
  {
    data: Type.Object({
      points: BigInteger({ description: "In total, once the order is paid and fully shipped." }),
      lines: Type.Array(
        Type.Object({ product_id: Type.String(), points: BigInteger({}) }, { title: "CartLinePoints" }),
        {
          description: "In the order of the cart.",
        },
      ),
    }),
  },
  { title: "CartPoints" },
);

export const redemptionBody = Type.Object(
  { points: Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991, description: "To take for the coupon." }) },
  { title: "NewRedemption", examples: [{ points: 500 }] },
);

export const redemptionAnswer = Type.Object({ data: coupon }, { title: "RedeemedCoupon" });
