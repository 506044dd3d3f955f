import type { CustomerRef } from "../ledger/customer-ref.ts";
import { isOrderOver, type StoredFacts } from "../orders/facts/order-facts.ts";
import { type LineRemains, remainsOf } from "../orders/facts/refund-base.ts";
import { productOf } from "../orders/plan/earning-draft.ts";
import { plus, round, ZERO } from "../orders/plan/fraction.ts";
import { isBetterRate, type OrderRules } from "../orders/plan/order-rules.ts";
import { addPoints, draftLines, earningLines, NO_POINTS, targetPoints } from "../orders/plan/order-target.ts";
import { spendOf } from "../orders/plan/tier-spend.ts";
import type { BonusCollection, Program } from "../program/program.ts";
import { bonusRun, campaignRun } from "./run.ts";

/** An order as stored, with the program version of its rules. */
export interface CountedOrder {
  readonly orderId: string;
  readonly customer: CustomerRef | null;
  readonly at: Temporal.Instant;
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  readonly program: Program;
  readonly points: bigint;
  readonly awarded: bigint;
}

/** What an order adds to a run. */
export interface RunPart {
  readonly run: string;
  /** In minor units; for a bonus, only of the goods of its collection. */
  readonly revenue: bigint;
  readonly points: bigint;
  /** The part of `points` that only the run gave. */
  readonly extra: bigint;
}

/** The goods of one collection in an order, with or without a bonus. */
export interface CollectionPart {
  readonly collectionId: string;
  readonly revenue: bigint;
}

/** What an order adds to the sums. Money in minor units. */
export interface Sale {
  readonly orderId: string;
  /** Null for a guest. */
  readonly customer: CustomerRef | null;
  readonly at: Temporal.Instant;
  readonly tierUid: string;
  readonly revenue: bigint;
  readonly points: bigint;
  readonly awarded: bigint;
  readonly runs: readonly RunPart[];
  readonly collections: readonly CollectionPart[];
}

/** The sale of an order; null where the order does not count. `tracked`: the collections that ever had a bonus. */
export function saleOf(order: CountedOrder, tracked: ReadonlySet<string>): Sale | null {
  const { facts, rules, orderId, customer, at, points, awarded } = order;
  const { stated, test } = facts;
  const isForeign = (stated.shopCurrency ?? rules.currency) !== rules.currency;
  if (test || isOrderOver(facts) || isForeign || stated.lines === undefined) return null;
  const remains = remainsOf(facts, facts.refunds);
  const drafts = draftLines(facts, rules, true);
  const runs = [...campaignParts(order, remains, spendOf(drafts, remains)), ...bonusParts(order, remains)];
  const collections = [...tracked].flatMap((collectionId) => {
    const own = drafts.filter(({ line }) => productOf(line, rules).collections.includes(collectionId));
    return own.length === 0 ? [] : [{ collectionId, revenue: spendOf(own, remains) }];
  });
  const revenue = spendOf(drafts, remains);
  return { orderId, customer, at, tierUid: rules.tier.uid, revenue, points, awarded, runs, collections };
}

function campaignParts(
  { facts, rules, program, at, points }: CountedOrder,
  remains: ReadonlyMap<string, LineRemains>,
  revenue: bigint,
): readonly RunPart[] {
  if (rules.campaign === null) return [];
  const named = program.campaigns.filter(({ name }) => name === rules.campaign);
  const campaign = named.find((c) => isWithin(at, c)) ?? named[0];
  if (campaign === undefined) return [];
  const tier = program.tiers.rules.find(({ uid }) => uid === rules.tier.uid) ?? program.earning.rate;
  const usual = { ...rules, rate: { pointValue: tier.pointValue, currencyValue: tier.currencyValue } };
  const given = targetPoints(earningLines(facts, rules, remains), rules);
  const without = targetPoints(earningLines(facts, usual, remains), usual);
  return [{ run: campaignRun(campaign).key, revenue, points, extra: given - without }];
}

/** A line's bonus is that of its best collection. The order's bonus points are rounded once and divided among the bonuses in their order. */
function bonusParts(order: CountedOrder, remains: ReadonlyMap<string, LineRemains>): readonly RunPart[] {
  const { facts, rules, program, at } = order;
  if (rules.bonuses.size === 0) return [];
  const exact = new Map(earningLines(facts, rules, remains).map((line) => [line.lineId, line]));
  const drafts = draftLines(facts, rules, false).filter(({ bonus }) => bonus !== null);
  const byCollection = Map.groupBy(drafts, (draft) => bestCollection(productOf(draft.line, rules).collections, rules));
  const parts: RunPart[] = [];
  let sumSoFar = ZERO;
  for (const [collectionId, own] of byCollection) {
    const bonus = collectionId === null ? undefined : activeBonus(program, collectionId, at);
    const before = round(sumSoFar, rules.rounding);
    const all = own.flatMap(({ line }) => {
      const found = exact.get(line.lineId);
      return found === undefined ? [] : [found.goods, found.tax];
    });
    sumSoFar = plus(sumSoFar, all.reduce(addPoints, NO_POINTS).byBonus);
    const points = round(sumSoFar, rules.rounding) - before;
    if (bonus !== undefined)
      parts.push({ run: bonusRun(bonus).key, revenue: spendOf(own, remains), points, extra: points });
  }
  return parts;
}

/** The first of the collections with the best rate, as in the earning rule. */
function bestCollection(collections: readonly string[], { bonuses }: OrderRules): string | null {
  let best: string | null = null;
  for (const id of collections) {
    const rate = bonuses.get(id);
    const other = best === null ? undefined : bonuses.get(best);
    if (rate !== undefined && (other === undefined || isBetterRate(rate, other))) best = id;
  }
  return best;
}

function activeBonus(program: Program, collectionId: string, at: Temporal.Instant): BonusCollection | undefined {
  const own = program.earning.bonusCollections.filter((bonus) => bonus.collectionId === collectionId);
  const active = own.filter((bonus) => isWithin(at, bonus));
  return active.reduce<BonusCollection | undefined>(
    (best, bonus) => (best === undefined || isBetterRate(bonus, best) ? bonus : best),
    undefined,
  );
}

function isWithin(
  at: Temporal.Instant,
  { startsAt, endsAt }: { readonly startsAt: Temporal.Instant | null; readonly endsAt: Temporal.Instant | null },
): boolean {
  const hasStarted = startsAt === null || Temporal.Instant.compare(at, startsAt) >= 0;
  return hasStarted && (endsAt === null || Temporal.Instant.compare(at, endsAt) < 0);
}
