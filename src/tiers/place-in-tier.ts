import { requestOrderReviews } from "../customers/request-order-reviews.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { TierAssignment } from "./tier-update.ts";

/** Why a tier changed, and who changed it. */
export interface TierCause {
  readonly cause: "api" | "check" | "program" | "manual" | "merge";
  readonly actor: string | null;
}

const WRITE_TIER = `insert into customer_tier as t (bucket, customer_uid, tier_uid, minimum_tier_uid, skip_next_check, changed_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (bucket, customer_uid) do update
set tier_uid = excluded.tier_uid,
  minimum_tier_uid = excluded.minimum_tier_uid,
  skip_next_check = excluded.skip_next_check,
  changed_at = excluded.changed_at,
  kept_tier_uid = case when t.tier_uid = excluded.tier_uid then t.kept_tier_uid end,
  kept_until = case when t.tier_uid = excluded.tier_uid then t.kept_until end`;

const WRITE_CHANGE = `insert into tier_change
  (bucket, customer_uid, uid, changed_at, from_uid, to_uid, from_name, to_name, cause, actor)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/**
 * Writes a customer's standing and, if the tier changes, the row of its history. Orders that the platform's clock dates after the change
 * and that were already evaluated are re-evaluated. The caller must have locked the customer's balance before it read `before`.
 */
export async function placeInTier(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  customer: CustomerRef,
  {
    before,
    after,
    cause,
  }: { readonly before: TierAssignment; readonly after: TierAssignment; readonly cause: TierCause },
): Promise<void> {
  const { bucket, customerUid } = customer;
  const now = deps.clock.now();
  const { tier, minimumTier, skipNextCheck } = after;
  await tx.execute(WRITE_TIER, [bucket, customerUid, tier.uid, minimumTier?.uid ?? null, skipNextCheck, now]);
  if (tier.uid === before.tier.uid) return;
  const tiers = [before.tier.uid, tier.uid, before.tier.name, tier.name];
  await tx.execute(WRITE_CHANGE, [bucket, customerUid, deps.random.uid(), now, ...tiers, cause.cause, cause.actor]);
  await requestOrderReviews(tx, deps, [customer], { cause: "tier", from: now });
}
