import { Type } from "typebox";
import { BigInteger } from "../http/big-integer.ts";
import { customerField } from "../http/customer-ref.ts";

const productId = Type.Union([Type.String({ minLength: 1, maxLength: 1_000 }), Type.Integer({ minimum: 0 })], {
  expected: "a product's id: a string of 1 to 1000 characters, or an integer",
});

export const newCouponSchema = Type.Object(
  {
    customer_id: customerField,
    point_value: Type.Integer({
      minimum: 1,
      maximum: 9_007_199_254_740_991,
      description: "Points that the coupon costs; they are taken from the balance immediately.",
    }),
    product_ids: Type.Optional(
      Type.Array(productId, { minItems: 1, maxItems: 250, description: "Products it holds for; absent: all." }),
    ),
  },
  { title: "New coupon", examples: [{ customer_id: "4567890123", point_value: 500 }] },
);

export const couponParams = Type.Object({
  code: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: "The coupon's code, in any case.",
    examples: ["ACDE-3467-WXYR"],
  }),
});

export const couponAnswerSchema = Type.Object(
  {
    data: Type.Object({
      id: Type.String({ description: "Id of the coupon." }),
      code: Type.String({ description: "What the buyer enters." }),
      currency_value: BigInteger({ description: "Its worth in minor units of the store's currency." }),
      point_value: BigInteger({ description: "Points that it cost." }),
      points_reimbursed: BigInteger({ description: "Points of it that have come back." }),
      pos_discount: Type.Boolean({ description: "Whether it is a discount at a point of sale: so far always false." }),
      reimbursement_cascade: Type.Boolean({
        description:
          "Whether its points came back as part of a larger action: a refund or the cancellation of its order.",
      }),
      expires_at: Type.String({ description: "Until when it can be used." }),
    }),
  },
  {
    title: "Coupon",
    examples: [
      {
        data: {
          id: "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884",
          code: "ACDE-3467-WXYR",
          currency_value: 500,
          point_value: 500,
          points_reimbursed: 0,
          pos_discount: false,
          reimbursement_cascade: false,
          expires_at: "2026-03-02T09:30:00.123456Z",
        },
      },
    ],
  },
);
