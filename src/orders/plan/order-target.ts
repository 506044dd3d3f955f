import type { Rate } from "../../program/program.ts";
import { earningRules } from "../earning-rules/index.ts";
import { linesOf, type StoredFacts } from "../facts/order-facts.ts";
import { type LineRemains, lineAmount } from "../facts/refund-base.ts";
import type { LineDraft } from "./earning-draft.ts";
import { type Fraction, fraction, minus, plus, round, times, ZERO } from "./fraction.ts";
import type { OrderRules } from "./order-rules.ts";

/** Points before rounding: the two sums of program.md 4, which are rounded separately, once each. */
export interface ExactPoints {
  readonly byRate: Fraction;
  readonly byBonus: Fraction;
}

export const NO_POINTS: ExactPoints = { byRate: ZERO, byBonus: ZERO };

/** The present earnings of one line, before rounding. */
export interface EarningLine {
  readonly lineId: string;
  readonly goods: ExactPoints;
  /** 0 unless the store awards tax separately. */
  readonly tax: ExactPoints;
}

/** Returns the lines of an order that earn, in the order's sequence, with what refunds left of them (program.md 4, Target). */
export function earningLines(
  facts: StoredFacts,
  rules: OrderRules,
  remains: ReadonlyMap<string, LineRemains>,
): readonly EarningLine[] {
  return draftLines(facts, rules, false).map((draft) => {
    const { line, rate, bonus } = draft;
    const { goods, tax } = baseLeft(draft, remains);
    return { lineId: line.lineId, goods: exactPoints(goods, rate, bonus), tax: exactPoints(tax, rate, bonus) };
  });
}

/** Returns what refunds left of a line's base. Where it has no tax, or the tax apart, refunds lower it by their amounts without tax. */
export function baseLeft(
  { line, goods, isTaxed, tax }: LineDraft,
  remains: ReadonlyMap<string, LineRemains>,
): Readonly<Record<"goods" | "tax", Fraction>> {
  const left = remains.get(line.lineId) ?? { money: ZERO, net: ZERO };
  if (isTaxed) return { goods: times(fraction(goods), left.money), tax: ZERO };
  const net = times(fraction(goods), left.net);
  return { goods: net, tax: tax === 0n ? ZERO : minus(times(fraction(goods + tax), left.money), net) };
}

/** Returns what the lines earn on as ordered, by all rules or by those that apply to tier spend. */
export function draftLines(facts: StoredFacts, rules: OrderRules, forSpend: boolean): readonly LineDraft[] {
  return earningRules
    .filter((rule) => rule.countsForSpend || !forSpend)
    .reduce<readonly LineDraft[]>((lines, rule) => rule.apply(lines, { facts, rules }), firstDrafts(facts));
}

/** Returns all lines of an order before the rules. */
export function firstDrafts(facts: StoredFacts): readonly LineDraft[] {
  const isTaxed = facts.stated.taxesIncluded ?? false;
  return linesOf(facts).map((line) => ({ line, goods: lineAmount(line), isTaxed, tax: 0n, rate: null, bonus: null }));
}

/** Returns `awardable_points` (interface.md 2.7): the points that the order can award now. */
export function targetPoints(lines: readonly EarningLine[], rules: OrderRules): bigint {
  return roundPoints(lines.flatMap(({ goods, tax }) => [goods, tax]).reduce(addPoints, NO_POINTS), rules);
}

export function roundPoints({ byRate, byBonus }: ExactPoints, { rounding }: OrderRules): bigint {
  return round(byRate, rounding) + round(byBonus, rounding);
}

export function addPoints(a: ExactPoints, b: ExactPoints): ExactPoints {
  return { byRate: plus(a.byRate, b.byRate), byBonus: plus(a.byBonus, b.byBonus) };
}

export function partOfPoints({ byRate, byBonus }: ExactPoints, part: Fraction): ExactPoints {
  return { byRate: times(byRate, part), byBonus: times(byBonus, part) };
}

function exactPoints(base: Fraction, rate: Rate | null, bonus: Rate | null): ExactPoints {
  return { byRate: atRate(base, rate), byBonus: atRate(base, bonus) };
}

function atRate(base: Fraction, rate: Rate | null): Fraction {
  return rate === null ? ZERO : times(base, fraction(rate.pointValue, rate.currencyValue));
}
