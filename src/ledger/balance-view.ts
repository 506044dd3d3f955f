import { Type } from "typebox";
import { BigInteger } from "../http/big-integer.ts";
import { Nullable } from "../http/nullable.ts";
import { formatInstant } from "../shop/store-time.ts";

/** A customer's balance as it is shown: points available, and when they next expire (null: never, or there are none). */
export interface ShownBalance {
  readonly storefrontId: string;
  readonly delayMonths: number | null;
  readonly expiresAt: Temporal.Instant | null;
  readonly points: bigint;
}

/** Point Balance (interface.md 2.1). */
export const pointBalanceSchema = Type.Object(
  {
    id: Type.String({ description: "Storefront id of the customer." }),
    expiration_delay: Nullable(Type.Integer({ description: "Months until points expire; null: never." })),
    expires_at: Nullable(
      Type.String({ description: "When the points currently expire; null: never, or there are none." }),
    ),
    point_balance: BigInteger({ description: "Points available." }),
  },
  {
    title: "Point Balance",
    examples: [
      { id: "4567890123", expiration_delay: 12, expires_at: "2027-03-01T15:00:00.000000Z", point_balance: 1320 },
    ],
  },
);

export function viewBalance(balance: ShownBalance): {
  id: string;
  expiration_delay: number | null;
  expires_at: string | null;
  point_balance: bigint;
} {
  return {
    id: balance.storefrontId,
    expiration_delay: balance.delayMonths,
    expires_at: balance.expiresAt === null ? null : formatInstant(balance.expiresAt),
    point_balance: balance.points,
  };
}

/** The same as JSON text, for the hot path. */
export function balanceText(balance: ShownBalance): string {
  const expiresAt = balance.expiresAt === null ? "null" : `"${formatInstant(balance.expiresAt)}"`;
  return `{"id":${JSON.stringify(balance.storefrontId)},"expiration_delay":${balance.delayMonths},"expires_at":${expiresAt},"point_balance":${balance.points}}`;
}
