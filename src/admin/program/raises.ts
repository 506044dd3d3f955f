import { isBetterRate } from "../../orders/plan/order-rules.ts";
import type { BonusCollection, Campaign, Program, Rate, TierRule } from "../../program/program.ts";

/** A change of the program, and from when it applies to orders. */
export interface ProgramStep {
  readonly before: Program;
  readonly after: Program;
  readonly from: Temporal.Instant;
}

/**
 * Returns the pointers of the fields by which a change may pay anybody more than the program before it, at any moment after `from`, or lets one
 * person move more points: those need a second person. Any raise counts, however small. Changes of when points are given or expire (waiting days,
 * expiry, the dates of checks) are no raise, nor is the lifetime of a coupon.
 */
export function raisesOf(step: ProgramStep): readonly string[] {
  return [...settingRaises(step), ...rateRaises(step)];
}

type Raise = readonly [pointer: string, isRaised: boolean];

function settingRaises({ before, after }: ProgramStep): readonly string[] {
  const [was, is] = [before.earning, after.earning];
  const raises: readonly Raise[] = [
    ["/store/currency", before.store.currency !== after.store.currency],
    ["/earning/rounding", isLater(["down", "half_up", "up"], was.rounding, is.rounding)],
    ["/earning/include_tax", !was.includeTax && is.includeTax],
    ["/earning/award_on", isLater(["paid_and_fulfilled", "paid"], was.awardOn, is.awardOn)],
    ["/earning/excluded_product_tags", hasLess(was.excludedProductTags, is.excludedProductTags)],
    ["/earning/excluded_customer_tags", hasLess(was.excludedCustomerTags, is.excludedCustomerTags)],
    ["/tiers/window_months", isHigher(before, after, ({ tiers }) => tiers.windowMonths)],
    ["/tiers/on_miss", isLater(["matching", "one_down", "never"], before.tiers.onMiss, after.tiers.onMiss)],
    ["/tiers/spend_at", isLater(["fulfilled", "paid", "processed"], before.tiers.spendAt, after.tiers.spendAt)],
    ["/refunds/shortfall", isLater(["owe", "cap", "refuse"], before.refunds.shortfall, after.refunds.shortfall)],
    [
      "/refunds/reimburse_coupons_on_partial",
      !before.refunds.reimburseCouponsOnPartial && after.refunds.reimburseCouponsOnPartial,
    ],
    ["/coupons/point_worth", isHigher(before, after, ({ coupons }) => coupons.pointWorth)],
    ["/rewards/signup", isHigher(before, after, ({ rewards }) => rewards.signup)],
    ["/rewards/marketing_opt_in", isHigher(before, after, ({ rewards }) => rewards.marketingOptIn)],
    ["/rewards/birthday", isHigher(before, after, ({ rewards }) => rewards.birthday)],
    ["/staff/approval_limit", isLooser(before.staff.approvalLimit, after.staff.approvalLimit)],
    ["/staff/daily_limit", isLooser(before.staff.dailyLimit, after.staff.dailyLimit)],
  ];
  return raises.filter(([, isRaised]) => isRaised).map(([pointer]) => pointer);
}

/** Whether a number is higher after a change. */
function isHigher(before: Program, after: Program, read: (program: Program) => bigint | number): boolean {
  return read(after) > read(before);
}

function isLater<T>(order: readonly T[], before: T, after: T): boolean {
  return order.indexOf(after) > order.indexOf(before);
}

/** Whether a tag is no longer excluded; letter case and surrounding spaces do not matter. */
function hasLess(before: readonly string[], after: readonly string[]): boolean {
  const kept = new Set(after.map(plainTag));
  return before.some((tag) => !kept.has(plainTag(tag)));
}

function plainTag(tag: string): string {
  return tag.trim().toLowerCase();
}

function isLooser(before: bigint | null, after: bigint | null): boolean {
  return before !== null && (after === null || after > before);
}

/** Compares the rates by tier, campaign and collection at each moment at which they may change. */
function rateRaises(step: ProgramStep): readonly string[] {
  const raised = new Set<string>();
  const pairs = tierPairs(step);
  const [before, after] = [timetableOf(step.before), timetableOf(step.after)];
  for (const at of momentsOf(step.from, [before, after])) {
    const [was, is] = [campaignAt(before, at), campaignAt(after, at)];
    const isRaised = pairs.some(([old, next]) => isBetterRate(rateIn(is, next), rateIn(was, old)));
    if (isRaised) raised.add(is === undefined && was === undefined ? tierPointer(step) : "/campaigns");
    if (hasBetterBonus(bonusesAt(before, at), bonusesAt(after, at))) raised.add("/earning/bonus_collections");
  }
  return [...raised];
}

function tierPointer({ before, after }: ProgramStep): string {
  const uses = ({ earning, tiers }: Program) => tiers.rules.some((rule) => isSameRate(rule, earning.rate));
  const isBase = isBetterRate(after.earning.rate, before.earning.rate) && uses(after);
  return isBase ? "/earning/point_value" : "/tiers/rules";
}

function isSameRate(a: Rate, b: Rate): boolean {
  return !isBetterRate(a, b) && !isBetterRate(b, a);
}

/**
 * Returns the pairs of tiers whose rates are compared: each tier that exists before and after, and, for every spend, the tiers that match it before
 * and after. So a lower requirement, a new tier, a removed tier and another rate all show as a better rate for somebody.
 */
function tierPairs({ before, after }: ProgramStep): readonly (readonly [before: TierRule, after: TierRule])[] {
  const known = new Map(before.tiers.rules.map((rule) => [rule.uid, rule]));
  const staying = after.tiers.rules.flatMap((rule) => {
    const was = known.get(rule.uid);
    return was === undefined ? [] : [[was, rule] as const];
  });
  const spends = [...before.tiers.rules, ...after.tiers.rules].map((rule) => rule.currencySpentRequirement);
  const matching = [...new Set(spends)].map((spend) => [matchFor(before, spend), matchFor(after, spend)] as const);
  return [...staying, ...matching];
}

/** Returns the tier of a spend: rules ascend, and the first one has no requirement. */
function matchFor({ tiers }: Program, spend: bigint): TierRule {
  const match = tiers.rules.findLast((rule) => rule.currencySpentRequirement <= spend) ?? tiers.rules[0];
  if (match === undefined) throw new Error("a program has a tier");
  return match;
}

/** The period of a campaign or bonus, in nanoseconds since 1970: the start is included, the end is not. */
interface Timed<T> {
  readonly what: T;
  readonly start: bigint | null;
  readonly end: bigint | null;
}

interface Timetable {
  readonly campaigns: readonly Timed<Campaign>[];
  readonly bonuses: readonly Timed<BonusCollection>[];
}

function timetableOf({ campaigns, earning }: Program): Timetable {
  return { campaigns: campaigns.map(timed), bonuses: earning.bonusCollections.map(timed) };
}

function timed<T extends { readonly startsAt: Temporal.Instant | null; readonly endsAt: Temporal.Instant | null }>(
  what: T,
): Timed<T> {
  return { what, start: what.startsAt?.epochNanoseconds ?? null, end: what.endsAt?.epochNanoseconds ?? null };
}

function isAt({ start, end }: Timed<unknown>, at: bigint): boolean {
  return (start === null || at >= start) && (end === null || at < end);
}

/** Returns `from`, and every later begin or end of a campaign or bonus. */
function momentsOf(from: Temporal.Instant, tables: readonly Timetable[]): ReadonlySet<bigint> {
  const first = from.epochNanoseconds;
  const edges = tables.flatMap(({ campaigns, bonuses }) =>
    [...campaigns, ...bonuses].flatMap(({ start, end }) => [start, end]),
  );
  return new Set([first, ...edges.filter((at) => at !== null && at > first)].filter((at) => at !== null));
}

function campaignAt({ campaigns }: Timetable, at: bigint): Campaign | undefined {
  return campaigns.find((campaign) => isAt(campaign, at))?.what;
}

/** Returns the best rate of each collection that has a bonus. */
function bonusesAt({ bonuses }: Timetable, at: bigint): ReadonlyMap<string, Rate> {
  const best = new Map<string, Rate>();
  for (const bonus of bonuses) {
    const { collectionId } = bonus.what;
    const other = best.get(collectionId);
    if (isAt(bonus, at) && (other === undefined || isBetterRate(bonus.what, other))) best.set(collectionId, bonus.what);
  }
  return best;
}

function rateIn(campaign: Campaign | undefined, tier: TierRule): Rate {
  return campaign === undefined ? tier : (campaign.byTier.get(tier.uid) ?? campaign.rate);
}

function hasBetterBonus(before: ReadonlyMap<string, Rate>, after: ReadonlyMap<string, Rate>): boolean {
  return [...after].some(([collection, rate]) => {
    const was = before.get(collection);
    return was === undefined ? rate.pointValue > 0n : isBetterRate(rate, was);
  });
}
