import type { OrderLine, RefundFact } from "../../platforms/neutral-events.ts";
import { grossOf } from "../../platforms/quantity.ts";
import type { Rate } from "../../program/program.ts";
import { earningRules } from "../earning-rules/index.ts";
import { linesOf, type StoredFacts } from "../facts/order-facts.ts";
import { type LineRemains, lineAmount, remainsOf } from "../facts/refund-base.ts";
import type { LineDraft } from "../plan/earning-draft.ts";
import { type Fraction, ONE } from "../plan/fraction.ts";
import type { OrderRules } from "../plan/order-rules.ts";
import { type EarningLine, type ExactPoints, earningLines, firstDrafts, NO_POINTS } from "../plan/order-target.ts";

/** Why one line earns its points, or nothing. Money is in minor units as ordered. */
export interface LineBreakdown {
  readonly line: OrderLine;
  /** Before discounts. */
  readonly gross: bigint;
  /** After discounts: the amount with which the rules begin. */
  readonly net: bigint;
  /** The amount on which it earns, with tax according to the settings; 0 if it is excluded. */
  readonly goods: bigint;
  /** Separately awarded as type `tax`. */
  readonly tax: bigint;
  readonly rate: Rate | null;
  readonly bonus: Rate | null;
  /** The earning rule that dropped the line; null: it earns. */
  readonly excludedBy: string | null;
  /** The part of its money that refunds and removals left, 0 to 1. */
  readonly left: Fraction;
  /** Points before rounding, for what is left. */
  readonly goodsPoints: ExactPoints;
  readonly taxPoints: ExactPoints;
}

/**
 * Returns the lines of an order after each earning rule (program.md 4, Target), with the same rules that award. `refunds`: those that
 * count, a subset of the facts' refunds.
 */
export function orderBreakdown(
  facts: StoredFacts,
  rules: OrderRules,
  refunds: readonly RefundFact[] = facts.refunds,
): readonly LineBreakdown[] {
  const remains = remainsOf(facts, refunds);
  const earning = new Map(earningLines(facts, rules, remains).map((line) => [line.lineId, line]));
  const { drafts, excludedBy } = tracedDrafts(facts, rules);
  return linesOf(facts).map((line) => ({
    line,
    gross: grossOf(line),
    net: lineAmount(line),
    ...draftFields(drafts.get(line.lineId)),
    excludedBy: excludedBy.get(line.lineId) ?? null,
    left: leftOf(drafts.get(line.lineId), remains.get(line.lineId)),
    ...pointFields(earning.get(line.lineId)),
  }));
}

/** Returns the part of the line's base that refunds left. */
function leftOf(draft: LineDraft | undefined, remains: LineRemains | undefined): Fraction {
  if (remains === undefined) return ONE;
  const isNet = draft !== undefined && !draft.isTaxed && draft.tax === 0n;
  return isNet ? remains.net : remains.money;
}

function draftFields(draft: LineDraft | undefined): Pick<LineBreakdown, "goods" | "tax" | "rate" | "bonus"> {
  if (draft === undefined) return { goods: 0n, tax: 0n, rate: null, bonus: null };
  return { goods: draft.goods, tax: draft.tax, rate: draft.rate, bonus: draft.bonus };
}

function pointFields(line: EarningLine | undefined): Pick<LineBreakdown, "goodsPoints" | "taxPoints"> {
  return { goodsPoints: line?.goods ?? NO_POINTS, taxPoints: line?.tax ?? NO_POINTS };
}

/** Returns the drafts that all rules leave, and for the other lines the rule that dropped them. */
function tracedDrafts(facts: StoredFacts, rules: OrderRules) {
  let drafts = firstDrafts(facts);
  const excludedBy = new Map<string, string>();
  for (const rule of earningRules) {
    const kept = rule.apply(drafts, { facts, rules });
    const ids = new Set(kept.map(({ line }) => line.lineId));
    for (const { line } of drafts)
      if (!ids.has(line.lineId)) excludedBy.set(line.lineId, rule.name.replaceAll(" ", "_"));
    drafts = kept;
  }
  return { drafts: new Map(drafts.map((draft) => [draft.line.lineId, draft])), excludedBy };
}

/** Formats a fraction for people: "27.5" if six decimals are exact, otherwise "41/3". */
export function fractionText({ num, den }: Fraction): string {
  const scaled = num * 1_000_000n;
  if (scaled % den !== 0n) return `${num}/${den}`;
  const value = scaled / den;
  const size = value < 0n ? -value : value;
  const decimals = (size % 1_000_000n).toString().padStart(6, "0").replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${size / 1_000_000n}${decimals === "" ? "" : `.${decimals}`}`;
}
