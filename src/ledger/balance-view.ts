import { Type } from "typebox";
import { BigInteger } from "../http/big-integer.ts";
import { Nullable } from "../http/nullable.ts";
import { formatInstant } from "../time/store-time.ts";

/** A customer's balance as it is shown: points available, and when they next expire (null: never, or there are none). */
export interface ShownBalance {
  readonly storefrontId: string;
  readonly delayMonths: number | null;
  readonly expiresAt: Temporal.Instant | null;
  readonly points: bigint;
  /** What is taken from the next points that are earned (shortfall `owe`); null: of a moment that has passed, and is not known. */
  readonly owed: bigint | null;
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
    points_owed: Type.Optional(
      BigInteger({
        description:
          "Only while something is owed: points that had been spent when they were to be taken back, and are taken from the next ones earned.",
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

export function viewBalance(balance: ShownBalance): {
  id: string;
  expiration_delay: number | null;
  expires_at: string | null;
  point_balance: bigint;
  points_owed?: bigint;
} {
  return {
    id: balance.storefrontId,
    expiration_delay: balance.delayMonths,
    expires_at: balance.expiresAt === null ? null : formatInstant(balance.expiresAt),
    point_balance: balance.points,
    ...(isOwing(balance) ? { points_owed: balance.owed } : {}),
  };
}

/** The same as JSON text, for the hot path. */
export function balanceText(balance: ShownBalance): string {
  const expiresAt = balance.expiresAt === null ? "null" : `"${formatInstant(balance.expiresAt)}"`;
  const owed = isOwing(balance) ? `,"points_owed":${balance.owed}` : "";
  return `{"id":${JSON.stringify(balance.storefrontId)},"expiration_delay":${balance.delayMonths},"expires_at":${expiresAt},"point_balance":${balance.points}${owed}}`;
}

function isOwing(balance: ShownBalance): balance is ShownBalance & { readonly owed: bigint } {
  return balance.owed !== null && balance.owed > 0n;
}
