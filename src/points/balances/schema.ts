import { Type } from "typebox";
import { asOfField } from "../../http/as-of-field.ts";
import { BigInteger } from "../../http/big-integer.ts";
import { Nullable } from "../../http/nullable.ts";

/** Point Balance (interface.md 2.1). */
export const pointBalanceSchema = Type.Object(
  {
    id: Type.String({ description: "Storefront id of the customer." }),
    expiration_delay: Nullable(Type.Integer({ description: "Months until points expire; null: never." })),
    expires_at: Nullable(
      Type.String({ description: "When the points currently expire; null: never, or there are none." }),
    ),
    point_balance: BigInteger({ description: "Points available." }),
    points_owed: Type.Optional(
      BigInteger({
        description:
          "Only while points are owed: they had been spent before a refund took them back, and are deducted from the next points earned.",
      }),
    ),
  },
  {
    title: "Point Balance",
    examples: [
      {
        id: "4567890123",
        expiration_delay: 12,
        expires_at: "2027-03-01T15:00:00.000000Z",
        point_balance: 1320,
        points_owed: 0,
      },
    ],
  },
);

export const balanceQuerySchema = Type.Object({ as_of: asOfField });

export const balanceAnswerSchema = Type.Object({ data: pointBalanceSchema }, { title: "PointBalanceAnswer" });

export const expiriesAnswerSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        expires_at: Type.String({ description: "When the points expire." }),
        point_value: BigInteger({ description: "How many do." }),
      }),
    ),
  },
  {
    title: "Upcoming expiries",
    examples: [{ data: [{ expires_at: "2027-03-01T15:00:00.000000Z", point_value: 1320 }] }],
  },
);

export const setBalanceSchema = Type.Object(
  {
    balance: Type.Integer({
      minimum: 0,
      maximum: 9_007_199_254_740_991,
      description: "The new balance.",
    }),
  },
  { title: "NewPointBalance", examples: [{ balance: 500 }] },
);

export const setBalanceAnswerSchema = Type.Object(
  {
    data: Type.Object({
      id: Type.String({ description: "Id of the allotment." }),
      uid: Type.String({ description: "The same id." }),
      point_value: BigInteger({ description: "The difference applied." }),
      inserted_at: Type.String({ description: "When the balance was updated." }),
      point_balance: pointBalanceSchema,
    }),
  },
  { title: "SetPointBalanceAnswer" },
);
