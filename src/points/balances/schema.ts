import { Type } from "typebox";
import { asOfMember } from "../../http/as-of-member.ts";
import { BigInteger } from "../../http/big-integer.ts";
import { pointBalanceSchema } from "../../ledger/balance-view.ts";

export const balanceQuerySchema = Type.Object({ as_of: asOfMember });

export const balanceAnswerSchema = Type.Object({ data: pointBalanceSchema }, { title: "Point Balance of a customer" });

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
  { title: "New balance", examples: [{ balance: 500 }] },
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
  { title: "Balance that was set" },
);
