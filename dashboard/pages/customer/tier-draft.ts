import type { CustomerTier, TierBody } from "../../../src/admin/customers/schema.ts";

/** The fields of the form that changes a tier. */
export type TierDraft = Required<TierBody>;

export function tierDraftOf({ uid, minimum_tier_uid, skip_next_check }: CustomerTier): TierDraft {
  return { tier: uid, minimum_tier: minimum_tier_uid, skip_next_check };
}

/**
 * Returns the fields that the person changed; null: none. The others may have been changed by somebody else, or by a check, since the form opened. A
 * minimum above the tier is sent with it, so that it is refused: alone it would be stored and have no effect. `tiers`: all uids, the lowest first.
 */
export function changedTier(seen: TierDraft, draft: TierDraft, tiers: readonly string[]): TierBody | null {
  const isBelow = draft.minimum_tier !== null && tiers.indexOf(draft.tier) < tiers.indexOf(draft.minimum_tier);
  const isRefused = isBelow && draft.minimum_tier !== seen.minimum_tier;
  const changed: TierBody = {
    ...(draft.tier === seen.tier && !isRefused ? {} : { tier: draft.tier }),
    ...(draft.minimum_tier === seen.minimum_tier ? {} : { minimum_tier: draft.minimum_tier }),
    ...(draft.skip_next_check === seen.skip_next_check ? {} : { skip_next_check: draft.skip_next_check }),
  };
  return Object.keys(changed).length === 0 ? null : changed;
}
