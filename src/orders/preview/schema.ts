import { Type } from "typebox";
import { BigInteger } from "../../http/big-integer.ts";
import { Nullable } from "../../http/nullable.ts";

const CART = {
  customer_id: "4567890123",
  currency: "JPY",
  lines: [{ product_id: "7700", quantity: 2, unit_price: { minor: 1100, currency: "JPY" } }],
};

/** Documented here, read by `preview-facts.ts`: the schema accepts every value, so that ids keep their digits. */
export const previewBody = Type.Unsafe<unknown>({
  title: "OrderOrCart",
  description:
    "An order's facts as in `OrderPlaced` (docs/intake-events.md). Only `lines` is required: a cart needs no `order_id` and no `line_id`, and may name its currency in `currency`.",
  examples: [CART],
});

const rate = Type.Object(
  { point_value: BigInteger({}), currency_value: BigInteger({ description: "Minor units." }) },
  { title: "Rate" },
);

export const breakdownFields = {
  line_id: Type.String(),
  title: Type.String(),
  quantity: Type.Number(),
  gross: BigInteger({ description: "Minor units, before discounts." }),
  discount: BigInteger({ description: "Minor units." }),
  tax: BigInteger({ description: "Of the whole line, minor units." }),
  base: BigInteger({
    description: "The ordered amount on which it earns, in minor units, with or without tax as the settings say.",
  }),
  left: Type.String({ description: "The part of it that refunds and removals left, 0 to 1.", examples: ["0.5"] }),
  rate: Nullable(rate),
  bonus: Nullable(rate),
  points_exact: Type.String({ description: "Points before rounding, bonus included.", examples: ["27.5"] }),
  excluded_by: Nullable(
    Type.String({
      description:
        "The rule by which it earns nothing: live_order (a test or cancelled order), store_currency, customer_tags, goods_only (gift cards, tips, fees), product_tags.",
    }),
  ),
};

export const rulesFields = {
  program_version: Type.Integer(),
  currency: Type.String({ description: "The store's." }),
  tier: Type.Object({ uid: Type.String(), name: Type.String() }),
  rate,
  rate_origin: Type.String({ enum: ["tier", "campaign"] }),
  campaign: Nullable(Type.String({ description: "Its name, where one ran." })),
  rounding: Type.String({ enum: ["up", "down", "half_up"] }),
  include_tax: Type.Boolean(),
};

export const previewAnswer = Type.Object(
  {
    data: Type.Object({
      customer_id: Nullable(Type.String({ description: "Null: not known; it would earn as a new customer." })),
      processed_at: Type.String({ description: "The time for which rules, tier and campaign were chosen." }),
      points: BigInteger({ description: "In total, once paid and shipped whole." }),
      ...rulesFields,
      lines: Type.Array(
        Type.Object(
          { ...breakdownFields, points: BigInteger({ description: "Of its allotments." }) },
          { title: "PreviewLine" },
        ),
      ),
    }),
  },
  { title: "OrderPreview" },
);
