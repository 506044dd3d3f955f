import { requestOrderReviews } from "../customers/request-order-reviews.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { TierCause } from "./place-in-tier.ts";
import type { KeptTier, TierAssignment } from "./tier-update.ts";

/** A customer's standing before and after. */
export interface Placement {
  readonly customer: CustomerRef;
  readonly before: TierAssignment;
  readonly after: TierAssignment;
  /**
   * No check places the customer below the tier `after` before this time. null: no tier is kept any more; a `KeptTier`: restores it (to
   * undo); absent: a kept tier stays, unless the tier changes.
   */
  readonly keepUntil?: Temporal.Instant | KeptTier | null | undefined;
}

const WRITE_TIERS = `insert into customer_tier as t
  (bucket, customer_uid, tier_uid, minimum_tier_uid, skip_next_check, changed_at, kept_tier_uid, kept_until)
select k.bucket, k.customer_uid, k.tier_uid, k.minimum_tier_uid, k.skip_next_check, $6,
  case when k.keeps then k.kept_tier_uid when t.tier_uid = k.tier_uid then t.kept_tier_uid end,
  case when k.keeps then k.kept_until when t.tier_uid = k.tier_uid then t.kept_until end
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::boolean[], $7::boolean[], $8::uuid[], $9::timestamptz[])
  as k (bucket, customer_uid, tier_uid, minimum_tier_uid, skip_next_check, keeps, kept_tier_uid, kept_until)
left join customer_tier t on t.bucket = k.bucket and t.customer_uid = k.customer_uid
on conflict (bucket, customer_uid) do update
set tier_uid = excluded.tier_uid,
  minimum_tier_uid = excluded.minimum_tier_uid,
  skip_next_check = excluded.skip_next_check,
  changed_at = excluded.changed_at,
  kept_tier_uid = excluded.kept_tier_uid,
  kept_until = excluded.kept_until`;

const WRITE_CHANGES = `insert into tier_change
  (bucket, customer_uid, uid, changed_at, from_uid, to_uid, from_name, to_name, cause, actor)
select k.bucket, k.customer_uid, k.uid, $8, k.from_uid, k.to_uid, k.from_name, k.to_name, $9, $10
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[])
  as k (bucket, customer_uid, uid, from_uid, to_uid, from_name, to_name)`;

/**
 * Writes the standings of many customers, each named once, like `placeInTier`. The caller must have locked their balances before it read the previous
 * standings.
 */
export async function placeManyInTier(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  placements: readonly Placement[],
  { cause, actor }: TierCause,
): Promise<void> {
  const now = deps.clock.now();
  const kept = placements.map(keptAfter);
  await tx.execute(WRITE_TIERS, [
    placements.map(({ customer }) => customer.bucket),
    placements.map(({ customer }) => customer.customerUid),
    placements.map(({ after }) => after.tier.uid),
    placements.map(({ after }) => after.minimumTier?.uid ?? null),
    placements.map(({ after }) => after.skipNextCheck),
    now,
    kept.map((tier) => tier !== undefined),
    kept.map((tier) => tier?.tierUid ?? null),
    kept.map((tier) => tier?.until ?? null),
  ]);
  const moved = placements.filter(({ before, after }) => before.tier.uid !== after.tier.uid);
  if (moved.length === 0) return;
  await tx.execute(WRITE_CHANGES, [
    moved.map(({ customer }) => customer.bucket),
    moved.map(({ customer }) => customer.customerUid),
    moved.map(() => deps.random.uid()),
    moved.map(({ before }) => before.tier.uid),
    moved.map(({ after }) => after.tier.uid),
    moved.map(({ before }) => before.tier.name),
    moved.map(({ after }) => after.tier.name),
    now,
    cause,
    actor,
  ]);
  await requestOrderReviews(
    tx,
    deps,
    moved.map(({ customer }) => customer),
    { cause: "tier", from: now },
  );
}

/** Returns the kept tier from now on; undefined: unchanged. */
function keptAfter({ after, keepUntil }: Placement): KeptTier | null | undefined {
  if (keepUntil === undefined || keepUntil === null || !(keepUntil instanceof Temporal.Instant)) return keepUntil;
  return { tierUid: after.tier.uid, until: keepUntil };
}
