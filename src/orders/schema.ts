import { Type } from "typebox";
import { BigInteger } from "../http/big-integer.ts";

/** The maximum number of ids of a request; more are ignored (interface.md 8). */
export const ORDER_IDS_MAX = 250;

export const orderQuerySchema = Type.Object({
  ids: Type.String({
    minLength: 1,
    description: "Comma-separated storefront order ids; after the first 250 they are ignored.",
    examples: ["450789469,450789470"],
    expected: "order ids, comma-separated",
  }),
});

/** Order point data (interface.md 2.7). */
const orderPointsSchema = Type.Object(
  {
    awardable_points: BigInteger({ description: "Total points the order can award." }),
    points_awarded: BigInteger({ description: "Points already awarded for the order." }),
    points_redeemed: BigInteger({ description: "Points used to discount the order." }),
  },
  { title: "Order point data", examples: [{ awardable_points: 120, points_awarded: 80, points_redeemed: 500 }] },
);

export const ordersAnswerSchema = Type.Object(
  { data: Type.Record(Type.String(), orderPointsSchema, { description: "By order id; unknown orders are absent." }) },
  { title: "OrderPointDataList" },
);
