import type { Rate } from "../program/program.ts";
import type { LineDraft } from "./earning-draft.ts";
import { earningRules } from "./earning-rules/index.ts";
import { type Fraction, fraction, plus, round, times, ZERO } from "./fraction.ts";
import { linesOf, type StoredFacts } from "./order-facts.ts";
import type { OrderRules } from "./order-rules.ts";
import { type LineRemains, lineAmount } from "./refund-base.ts";

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
  return draftLines(facts, rules, false).map(({ line, goods, tax, rate, bonus }) => {
    const left = remains.get(line.lineId)?.money ?? ZERO;
    return {
      lineId: line.lineId,
      goods: exactPoints(times(fraction(goods), left), rate, bonus),
      tax: exactPoints(times(fraction(tax), left), rate, bonus),
    };
  });
}

/** Returns what the lines earn on as ordered, by all rules or by those that apply to tier spend. */
export function draftLines(facts: StoredFacts, rules: OrderRules, forSpend: boolean): readonly LineDraft[] {
  const drafts = linesOf(facts).map(
    (line): LineDraft => ({ line, goods: lineAmount(line), tax: 0n, rate: null, bonus: null }),
  );
  return earningRules
    .filter((rule) => rule.countsForSpend || !forSpend)
    .reduce<readonly LineDraft[]>((lines, rule) => rule.apply(lines, { facts, rules }), drafts);
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
