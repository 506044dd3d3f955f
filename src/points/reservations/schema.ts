import { Type } from "typebox";
import { BigInteger } from "../../http/big-integer.ts";
import { customerField } from "../../http/customer-ref.ts";
import { Nullable } from "../../http/nullable.ts";
import { POINTS_MAX } from "../../ledger/allotment-types.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { pointBalanceSchema } from "../balances/schema.ts";

/** A year. */
const TTL_SECONDS_MAX = 31_536_000;

export const newReservationSchema = Type.Object(
  {
    customer_id: customerField,
    point_value: Type.Integer({ minimum: 1, maximum: Number(POINTS_MAX), description: "Points to hold." }),
    ttl_seconds: Type.Integer({
      minimum: 1,
      maximum: TTL_SECONDS_MAX,
      description: "After this many seconds, whatever was not captured is released automatically.",
    }),
  },
  { title: "New reservation", examples: [{ customer_id: "4567890123", point_value: 300, ttl_seconds: 900 }] },
);

export const captureSchema = Type.Object(
  {
    point_value: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number(POINTS_MAX),
        description: "Points to capture; absent: all that are held. The rest is released.",
      }),
    ),
  },
  { title: "Capture", examples: [{ point_value: 250 }] },
);

export const reservationParams = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: "Id of the reservation.",
    examples: ["019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884"],
  }),
});

export const reservationAnswerSchema = Type.Object(
  {
    data: Type.Object({
      id: Type.String({ description: "Id of the reservation." }),
      customer_id: Type.String({ description: "Storefront id of the customer." }),
      point_value: BigInteger({ description: "Points that it was made for." }),
      captured: BigInteger({ description: "Points of it that were taken." }),
      state: Type.Unsafe<Hold["state"]>({
        type: "string",
        enum: ["held", "captured", "released"],
        description: "`released` also once its time is over.",
      }),
      expires_at: Nullable(
        Type.String({ description: "When it ends by itself; null: only when it is captured or released." }),
      ),
      point_balance: pointBalanceSchema,
    }),
  },
  {
    title: "Reservation",
    examples: [
      {
        data: {
          id: "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884",
          customer_id: "4567890123",
          point_value: 300,
          captured: 0,
          state: "held",
          expires_at: "2026-03-01T09:45:00.123456Z",
          point_balance: {
            id: "4567890123",
            expiration_delay: 12,
            expires_at: "2027-03-01T15:00:00.000000Z",
            point_balance: 1020,
          },
        },
      },
    ],
  },
);
