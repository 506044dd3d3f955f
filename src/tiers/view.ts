import type { Static } from "typebox";
import { formatMajor } from "../platforms/money.ts";
import type { Program, TierRule } from "../program/program.ts";
import { formatInstant } from "../time/store-time.ts";
import type { TierProgress } from "./advancement.ts";
import type { TierChange } from "./list-tier-changes.ts";
import type { TierRecord } from "./read-tier.ts";
import type { customerTierAnswer, tierChangesAnswer, tierRulesAnswer, tierUpdateAnswer } from "./schema.ts";
import { campaignFields } from "./tier-rules.ts";
import type { TierAssignment } from "./tier-update.ts";

/** Returns the tier rules of a program, ascending (interface.md 2.5). */
export function tierRulesView(program: Program, now: Temporal.Instant): Static<typeof tierRulesAnswer> {
  return { data: program.tiers.rules.map((rule) => tierRuleView(program, rule, now)) };
}

function tierRuleView(program: Program, rule: TierRule, now: Temporal.Instant) {
  const campaign = campaignFields(program, rule, now);
  return {
    uid: rule.uid,
    name: rule.name,
    default: rule.isDefault,
    currency_spent_requirement: Number(rule.currencySpentRequirement),
    point_value: Number(rule.pointValue),
    currency_value: Number(rule.currencyValue),
    campaign_point_value: campaign.pointValue === null ? null : Number(campaign.pointValue),
    campaign_currency_value: Number(campaign.currencyValue),
  };
}

/** A customer's tier record: nested as in the sample, with the flat fields of the table (interface.md 2.6, program.md 2). */
export function customerTierView(record: TierRecord): Static<typeof customerTierAnswer> {
  const { currency, advancement } = record;
  const { next, maintenance } = advancement;
  const deadline = formatInstant(advancement.deadline);
  const toNext = { ...moneyView(next?.remaining ?? 0n, currency), deadline };
  return {
    data: {
      id: record.storefrontId,
      tier: record.tier.name,
      tier_uid: record.tier.uid,
      minimum_tier: record.minimumTier?.name ?? null,
      skip_next_check: record.skipNextCheck,
      ...toNext,
      tier_name: next?.rule.name ?? null,
      advancement_data: {
        ...toNext,
        spent_requirement: next === null ? null : requirementView(next, currency),
        tier_name: next?.rule.name ?? null,
        tier_uid: next?.rule.uid ?? null,
        tiers: advancement.tiers.map((progress) => progressView(progress, currency)),
      },
      maintenance_data: {
        ...moneyView(maintenance.remaining, currency),
        deadline,
        spent_requirement: requirementView(maintenance, currency),
      },
    },
  };
}

function progressView(progress: TierProgress, currency: string) {
  return {
    ...moneyView(progress.remaining, currency),
    name: progress.rule.name,
    ratio: progress.ratio,
    spent_requirement: requirementView(progress, currency),
    uid: progress.rule.uid,
  };
}

function requirementView({ rule }: TierProgress, currency: string) {
  return moneyView(rule.currencySpentRequirement, currency);
}

function moneyView(minor: bigint, currency: string) {
  return { amount: formatMajor(minor, currency), currency, raw_amount: Number(minor) };
}

/** The answer of an update (interface.md 4.10). */
export function updatedTierView(
  after: TierAssignment & { readonly storefrontId: string },
): Static<typeof tierUpdateAnswer> {
  return {
    data: {
      id: after.storefrontId,
      tier: after.tier.name,
      minimum_tier: after.minimumTier?.name ?? null,
      skip_next_check: after.skipNextCheck,
    },
  };
}

/** A change of a customer's tier, with its cause and the spend that it was decided by (program.md 6). */
export function tierChangeView(change: TierChange): Static<typeof tierChangesAnswer>["data"][number] {
  return {
    changed_at: formatInstant(change.changedAt),
    from: change.fromName,
    from_uid: change.fromUid,
    to: change.toName,
    to_uid: change.toUid,
    cause: change.cause,
    spend: change.spendMinor === null ? null : moneyView(change.spendMinor, change.currency),
    check_at: change.checkAt === null ? null : formatInstant(change.checkAt),
    actor: change.actor,
  };
}
