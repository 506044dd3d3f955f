import { fraction, times } from "../../orders/plan/fraction.ts";
import { type OrderRules, snapshotRules } from "../../orders/plan/order-rules.ts";
import { roundPoints } from "../../orders/plan/order-target.ts";
import { exponent } from "../../platforms/money.ts";
import { collectionName } from "../../program/collection-name.ts";
import type { Program, Rate, TierRule } from "../../program/program.ts";

/** The points of one order by the old rules and by the new ones. */
export interface OrderExample {
  readonly at: Temporal.Instant;
  readonly tier: string;
  /** The campaign that runs at that time by the new rules. */
  readonly campaign: string | null;
  /** A collection with a bonus that contains all goods of the order; null: none. */
  readonly collection: string | null;
  /** What people call it. */
  readonly collectionName: string | null;
  /** The amount that earns points, in minor units. */
  readonly amountMinor: bigint;
  /** Null: the tier did not exist. */
  readonly before: bigint | null;
  readonly after: bigint;
}

export interface ExampleChange {
  readonly before: Program;
  readonly after: Program;
  readonly now: Temporal.Instant;
}

const MOMENTS_MAX = 3;
const EXAMPLES_MAX = 200;
const AMOUNTS = [3_480n, 12_000n] as const;

/**
 * Returns examples of a small and a larger order in each tier: now, and at each later begin or end of a campaign or bonus that brings a new
 * difference. A bonus is the same for every tier, so it is shown for the default one, where it differs (program.md 4, Target).
 */
export function orderExamples(change: ExampleChange): readonly OrderExample[] {
  const now = examplesAt(change, change.now);
  const known = new Set(now.map(outcomeOf));
  const differing = momentsAhead(change)
    .map((at) => {
      const news = examplesAt(change, at).filter((each) => isDifferent(each) && !known.has(outcomeOf(each)));
      for (const each of news) known.add(outcomeOf(each));
      return news;
    })
    .filter((examples) => examples.length > 0);
  const atNow = now.filter((each) => each.collection === null || isDifferent(each));
  return [...atNow, ...differing.slice(0, MOMENTS_MAX).flat()].slice(0, EXAMPLES_MAX);
}

function isDifferent({ before, after }: OrderExample): boolean {
  return before !== after;
}

function outcomeOf({ tier, collection, amountMinor, before, after }: OrderExample): string {
  return JSON.stringify([tier, collection, String(amountMinor), String(before), String(after)]);
}

function examplesAt({ before, after }: ExampleChange, at: Temporal.Instant): readonly OrderExample[] {
  const scale = 10n ** BigInt(Math.max(0, exponent(after.store.currency) - 2));
  return after.tiers.rules.flatMap((tier) => {
    const rules = snapshotRules(after, tier, at, []);
    const tierBefore = before.tiers.rules.find(({ uid }) => uid === tier.uid);
    const rulesBefore = tierBefore === undefined ? null : snapshotRules(before, tierBefore, at, []);
    const order = { tier, at, rules, rulesBefore, nameOf: (id: string) => collectionName(id, after, before) };
    const plain = AMOUNTS.map((amount) => exampleOf({ ...order, collection: null, amountMinor: amount * scale }));
    if (!tier.isDefault) return plain;
    const collections = new Set([...rules.bonuses.keys(), ...(rulesBefore?.bonuses.keys() ?? [])]);
    const withBonus = [...collections].map((collection) =>
      exampleOf({ ...order, collection, amountMinor: AMOUNTS[0] * scale }),
    );
    return [...plain, ...withBonus];
  });
}

function exampleOf(order: {
  readonly tier: TierRule;
  readonly at: Temporal.Instant;
  readonly rules: OrderRules;
  readonly rulesBefore: OrderRules | null;
  readonly collection: string | null;
  nameOf(collection: string): string;
  readonly amountMinor: bigint;
}): OrderExample {
  const { tier, at, rules, rulesBefore, collection, nameOf, amountMinor } = order;
  return {
    at,
    tier: tier.name,
    campaign: rules.campaign,
    collection,
    collectionName: collection === null ? null : nameOf(collection),
    amountMinor,
    before: rulesBefore === null ? null : pointsOf(rulesBefore, amountMinor, collection),
    after: pointsOf(rules, amountMinor, collection),
  };
}

function pointsOf(rules: OrderRules, amountMinor: bigint, collection: string | null): bigint {
  const bonus = collection === null ? undefined : rules.bonuses.get(collection);
  return roundPoints({ byRate: exactly(amountMinor, rules.rate), byBonus: exactly(amountMinor, bonus) }, rules);
}

function exactly(amountMinor: bigint, rate: Rate | undefined) {
  return times(
    fraction(amountMinor),
    rate === undefined ? fraction(0n) : fraction(rate.pointValue, rate.currencyValue),
  );
}

function momentsAhead({ before, after, now }: ExampleChange): readonly Temporal.Instant[] {
  const edges = [before, after].flatMap(({ campaigns, earning }) =>
    [...campaigns, ...earning.bonusCollections].flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]),
  );
  const ahead = edges.flatMap((at) => (at !== null && Temporal.Instant.compare(at, now) > 0 ? [at] : []));
  ahead.sort(Temporal.Instant.compare);
  return ahead.filter((at, index) => index === 0 || !ahead[index - 1]?.equals(at));
}
