import type { Fault } from "../problems.ts";
import { below, isRecord, type Place, readAt } from "./document-reader.ts";
import type { BonusCollection, Campaign, Program, Rate, TierRule } from "./program.ts";
import { isDefaultRule } from "./program-checks.ts";
import {
  type CampaignDocument,
  type ProgramDocument,
  programReader,
  type RateDocument,
  type TierRuleDocument,
  type TierRuleInput,
  zoneName,
} from "./program-schema.ts";

/** The tier of a store that defines none. */
const DEFAULT_TIER_NAME = "Bronze";

export interface ParseOptions {
  /** The previous version: tiers with the same name keep its uids. null: there is none. */
  readonly previous: ProgramDocument | null;
  /** Uids for new tiers; at least `TIER_RULES_MAX` of them. */
  readonly spareUids: readonly string[];
}

export type ParsedProgram =
  | { readonly kind: "document"; readonly document: ProgramDocument }
  | { readonly kind: "faults"; readonly faults: readonly Fault[] };

/**
 * Parses a complete document (program.md 9): absent fields get their defaults; if anything is wrong, all faults are returned, each with the
 * field's JSON pointer. A store without tier rules has one, its default tier "Bronze", which earns at the rate of `earning`; a rate that a
 * tier or campaign leaves out (null) is also that of `earning`.
 */
export function parseProgramDocument(input: unknown, options: ParseOptions): ParsedProgram {
  const faults: Fault[] = [];
  const place: Place = { pointer: "", faults, timeZone: timeZoneOf(input) };
  const read = readAt(programReader, input, place);
  const rules = nameRules(read.tiers.rules, options);
  const campaigns = read.campaigns.map((campaign, index) =>
    resolveTiers(campaign, rules, options.previous, below(below(below(place, "campaigns"), index), "by_tier")),
  );
  if (faults.length > 0) return { kind: "faults", faults };
  return { kind: "document", document: { ...read, campaigns, tiers: { ...read.tiers, rules } } };
}

/** Returns the zone in which plain dates of the document are read: its own, which is checked with the rest. */
function timeZoneOf(input: unknown): string {
  const store = isRecord(input) ? input["store"] : undefined;
  const given = isRecord(store) ? store["time_zone"] : undefined;
  return zoneName(given) ?? programReader.placeholder.store.time_zone;
}

function nameRules(
  rules: readonly TierRuleInput[],
  { previous, spareUids }: ParseOptions,
): readonly TierRuleDocument[] {
  const known = previous?.tiers.rules ?? [];
  const spare = [...spareUids];
  const takeSpare = () => {
    const uid = spare.pop();
    if (uid === undefined) throw new Error("too few spare uids for the tiers");
    return uid;
  };
  if (rules.length === 0) return [defaultRule(known.find((rule) => rule.default)?.uid ?? takeSpare())];
  const claimed = new Set(rules.map((rule) => rule.uid));
  return rules.map((rule) => {
    const namesake = known.find((other) => other.name === rule.name && !claimed.has(other.uid));
    return { ...rule, uid: rule.uid ?? namesake?.uid ?? takeSpare(), default: isDefaultRule(rule) };
  });
}

function defaultRule(uid: string): TierRuleDocument {
  const rate = { point_value: null, currency_value: null };
  return { uid, name: DEFAULT_TIER_NAME, default: true, currency_spent_requirement: 0, ...rate };
}

/** Keys `by_tier` by uid. A tier that was deleted since the previous version is left out; one that never existed is a fault. */
function resolveTiers(
  campaign: CampaignDocument,
  rules: readonly TierRuleDocument[],
  previous: ProgramDocument | null,
  place: Place,
): CampaignDocument {
  const byTier = new Map<string, RateDocument>();
  for (const [key, rate] of Object.entries(campaign.by_tier)) {
    const rule = rules.find(({ uid }) => uid === key) ?? rules.find(({ name }) => name === key);
    const { pointer } = below(place, key);
    if (rule !== undefined && byTier.has(rule.uid)) {
      place.faults.push({ pointer, detail: "expected each tier once: this one is named by its uid and by its name" });
    } else if (rule !== undefined) {
      byTier.set(rule.uid, rate);
    } else if (previous?.tiers.rules.some(({ uid }) => uid === key) !== true) {
      place.faults.push({ pointer, detail: "expected the name or uid of a tier" });
    }
  }
  return { ...campaign, by_tier: Object.fromEntries(byTier) };
}

/** Returns the document in the form that is shown and returned: `by_tier` is keyed by the tiers' names. */
export function showProgramDocument(document: ProgramDocument): ProgramDocument {
  const names = new Map(document.tiers.rules.map((rule) => [rule.uid, rule.name]));
  const campaigns = document.campaigns.map((campaign) => ({
    ...campaign,
    by_tier: Object.fromEntries(Object.entries(campaign.by_tier).map(([uid, rate]) => [names.get(uid) ?? uid, rate])),
  }));
  return { ...document, campaigns };
}

/** Returns the program of a stored document. */
export function programOf(
  document: ProgramDocument,
  kept: { readonly version: number; readonly shortenedAt: Temporal.Instant | null },
): Program {
  const { earning, tiers, expiration, refunds, coupons, rewards, staff } = document;
  const base: Rate = { pointValue: BigInt(earning.point_value), currencyValue: BigInt(earning.currency_value) };
  return {
    version: kept.version,
    store: { name: document.store.name, currency: document.store.currency, timeZone: document.store.time_zone },
    earning: earningOf(earning, base),
    campaigns: document.campaigns.map((campaign) => campaignOf(campaign, base)).toSorted(byStart),
    tiers: {
      periodMonths: tiers.period_months,
      startMonth: tiers.start_month,
      windowMonths: tiers.window_months,
      onMiss: tiers.on_miss,
      spendAt: tiers.spend_at,
      rules: tiers.rules.map((rule) => tierRuleOf(rule, base)).toSorted(byRequirement),
    },
    expiration: {
      delayMonths: expiration.delay_months,
      mode: expiration.mode,
      sweep: expiration.sweep,
      couponsExtend: expiration.coupons_extend,
      returnedDays: expiration.returned_days,
      shorteningDays: expiration.shortening_days,
      shortenedAt: kept.shortenedAt,
    },
    refunds: { shortfall: refunds.shortfall, reimburseCouponsOnPartial: refunds.reimburse_coupons_on_partial },
    coupons: {
      pointWorth: BigInt(coupons.point_worth),
      lifetimeHours: coupons.lifetime_hours,
      graceHours: coupons.grace_hours,
    },
    rewards: {
      signup: BigInt(rewards.signup),
      marketingOptIn: BigInt(rewards.marketing_opt_in),
      birthday: BigInt(rewards.birthday),
    },
    staff: { approvalLimit: limitOf(staff.approval_limit), dailyLimit: limitOf(staff.daily_limit) },
  };
}

function limitOf(points: number | null): bigint | null {
  return points === null ? null : BigInt(points);
}

function earningOf(earning: ProgramDocument["earning"], base: Rate): Program["earning"] {
  return {
    rate: base,
    rounding: earning.rounding,
    includeTax: earning.include_tax,
    separateTax: earning.separate_tax,
    awardOn: earning.award_on,
    pendingDays: earning.pending_days,
    excludedProductTags: earning.excluded_product_tags,
    excludedCustomerTags: earning.excluded_customer_tags,
    bonusCollections: earning.bonus_collections.map(
      (bonus): BonusCollection => ({
        ...rateOf(bonus, base),
        collectionId: bonus.collection_id,
        name: bonus.name,
        startsAt: bonus.starts_at === null ? null : Temporal.Instant.from(bonus.starts_at),
        endsAt: bonus.ends_at === null ? null : Temporal.Instant.from(bonus.ends_at),
      }),
    ),
  };
}

function campaignOf(campaign: CampaignDocument, base: Rate): Campaign {
  return {
    name: campaign.name,
    startsAt: Temporal.Instant.from(campaign.starts_at),
    endsAt: Temporal.Instant.from(campaign.ends_at),
    rate: rateOf(campaign, base),
    byTier: new Map(Object.entries(campaign.by_tier).map(([uid, rate]) => [uid, rateOf(rate, base)])),
  };
}

function tierRuleOf(rule: TierRuleDocument, base: Rate): TierRule {
  return {
    uid: rule.uid,
    name: rule.name,
    isDefault: rule.default,
    currencySpentRequirement: BigInt(rule.currency_spent_requirement),
    ...rateOf(rule, base),
  };
}

function rateOf(rate: { point_value: number | null; currency_value: number | null }, base: Rate): Rate {
  return {
    pointValue: rate.point_value === null ? base.pointValue : BigInt(rate.point_value),
    currencyValue: rate.currency_value === null ? base.currencyValue : BigInt(rate.currency_value),
  };
}

function byStart(a: Campaign, b: Campaign): number {
  return Temporal.Instant.compare(a.startsAt, b.startsAt);
}

function byRequirement(a: TierRule, b: TierRule): number {
  return a.currencySpentRequirement < b.currencySpentRequirement ? -1 : 1;
}
