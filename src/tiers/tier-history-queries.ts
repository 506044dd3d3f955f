import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { StoredTier } from "./tier-queries.ts";

const SELECT_STANDING_AT = `select s.minimum_tier_uid as "minimumTierUid",
  s.skip_next_check as "skipNextCheck"
from tier_standing s
where s.bucket = $1
  and s.customer_uid = $2
  and s.changed_at <= $3
order by s.changed_at desc
limit 1`;

type KeptStanding = Pick<StoredTier, "minimumTierUid" | "skipNextCheck">;

/** The floor that a customer had at an instant, and whether the next check was to be skipped. */
export async function selectStandingAt(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  instant: Temporal.Instant,
): Promise<KeptStanding> {
  const rows = await queryable.query<KeptStanding>(SELECT_STANDING_AT, [bucket, customerUid, instant]);
  return rows[0] ?? { minimumTierUid: null, skipNextCheck: false };
}
