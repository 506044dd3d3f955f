import type { Campaign, Program, Rate, TierRule } from "../program/program.ts";

/** Ascending by requirement, the default tier first. */
type TierRules = readonly TierRule[];

/** Returns the rule that a request names: by uid first, then by name (program.md 2); undefined: there is no such tier. */
export function matchTier(rules: TierRules, nameOrUid: string): TierRule | undefined {
  return rules.find(({ uid }) => uid === nameOrUid.toLowerCase()) ?? rules.find(({ name }) => name === nameOrUid);
}

/** Returns the tier of customers who were never placed in another. */
export function defaultTier(rules: TierRules): TierRule {
  const rule = rules.find(({ isDefault }) => isDefault);
  if (rule === undefined) throw new Error("the program has no default tier");
  return rule;
}

/** Returns the highest tier whose requirement a spend (minor units) meets; the default one for a spend below 0. */
export function tierOfSpend(rules: TierRules, spent: bigint): TierRule {
  return rules.findLast((rule) => spent >= rule.currencySpentRequirement) ?? defaultTier(rules);
}

/** Returns the campaign that runs at an instant: from its start on, before its end. */
export function campaignAt(program: Program, instant: Temporal.Instant): Campaign | null {
  const { compare } = Temporal.Instant;
  const isRunning = (campaign: Campaign) =>
    compare(campaign.startsAt, instant) <= 0 && compare(instant, campaign.endsAt) < 0;
  return program.campaigns.find(isRunning) ?? null;
}

/** Returns the campaign that `campaign_*` fields show: the running one, otherwise the next, otherwise none (program.md 4). */
export function campaignShown(program: Program, now: Temporal.Instant): Campaign | null {
  return program.campaigns.find((campaign) => Temporal.Instant.compare(now, campaign.endsAt) < 0) ?? null;
}

/**
 * Returns the rate of a tier at an instant (program.md 4): while a campaign runs, the campaign's rate for the tier, otherwise the
 * campaign's default rate; without a campaign the tier's. A tier that is not in the program (null, deleted) has the rate of `earning`.
 */
export function rateOf(program: Program, tierUid: string | null, instant: Temporal.Instant): Rate {
  const campaign = campaignAt(program, instant);
  if (campaign !== null) return (tierUid === null ? undefined : campaign.byTier.get(tierUid)) ?? campaign.rate;
  return program.tiers.rules.find(({ uid }) => uid === tierUid) ?? program.earning.rate;
}

/** The fields `campaign_point_value` and `campaign_currency_value` of interface.md 2.5. */
export interface CampaignFields {
  /** null: the campaign's default rate applies, or there is no campaign. */
  readonly pointValue: bigint | null;
  /** In minor units: of the tier's rate in the campaign, otherwise of the campaign's default rate; without a campaign, of the tier. */
  readonly currencyValue: bigint;
}

export function campaignFields(program: Program, rule: TierRule, now: Temporal.Instant): CampaignFields {
  const campaign = campaignShown(program, now);
  if (campaign === null) return { pointValue: null, currencyValue: rule.currencyValue };
  const own = campaign.byTier.get(rule.uid);
  return { pointValue: own?.pointValue ?? null, currencyValue: (own ?? campaign.rate).currencyValue };
}
