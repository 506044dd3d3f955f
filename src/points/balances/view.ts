import type { Expiry } from "../../ledger/expiry.ts";
import { formatInstant } from "../../time/store-time.ts";

/** The wire shape of upcoming expiries, in the order given. */
export function viewExpiries(expiries: readonly Expiry[]): { data: { expires_at: string; point_value: bigint }[] } {
  return {
    data: expiries.map(({ expiresAt, points }) => ({ expires_at: formatInstant(expiresAt), point_value: points })),
  };
}
