import type { Expiry } from "../../ledger/expiry/expiry.ts";
import type { ShownBalance } from "../../ledger/read/read-balances.ts";
import { formatInstant } from "../../time/store-time.ts";

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

/** The same as JSON text, for the busiest routes. */
export function balanceText(balance: ShownBalance): string {
  const expiresAt = balance.expiresAt === null ? "null" : `"${formatInstant(balance.expiresAt)}"`;
  const owed = isOwing(balance) ? `,"points_owed":${balance.owed}` : "";
  return `{"id":${JSON.stringify(balance.storefrontId)},"expiration_delay":${balance.delayMonths},"expires_at":${expiresAt},"point_balance":${balance.points}${owed}}`;
}

function isOwing(balance: ShownBalance): balance is ShownBalance & { readonly owed: bigint } {
  return balance.owed !== null && balance.owed > 0n;
}

/** Returns upcoming expiries on the wire, in the given order. */
export function viewExpiries(expiries: readonly Expiry[]): { data: { expires_at: string; point_value: bigint }[] } {
  return {
    data: expiries.map(({ expiresAt, points }) => ({ expires_at: formatInstant(expiresAt), point_value: points })),
  };
}
