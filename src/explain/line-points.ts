import type { StoredFacts } from "../orders/facts/order-facts.ts";
import { type Fraction, minus, plus, ZERO } from "../orders/plan/fraction.ts";
import { isRefundCause, refundKeys } from "../orders/plan/order-keys.ts";
import type { OrderRules } from "../orders/plan/order-rules.ts";
import { addPoints } from "../orders/plan/order-target.ts";
import { awardRows, type PostedCauseRow } from "../orders/plan/planned-posting.ts";
import { orderBreakdown } from "../orders/preview/preview-breakdown.ts";
import type { RefundFact } from "../platforms/neutral-events.ts";

/** The points that a line has been given, and those taken back. */
export interface LinePoints {
  readonly given: bigint;
  /** At most 0. */
  readonly taken: bigint;
}

type Row = PostedCauseRow & { readonly object: string | null };

interface LinePointsInput {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  /** In the order in which they were posted. */
  readonly posted: readonly Row[];
}

/**
 * Returns the points that each line of an order was given and lost. Awards name their line. Deductions name a refund or a cancellation and have whole
 * points for all lines together; they are distributed here: a refund by how much each line's earnings decreased with it, a correction by what each line
 * had beyond what it earns without later refunds, the rest by what each line still had. The shares always add up to what was posted.
 */
export function linePoints({ facts, rules, posted }: LinePointsInput): ReadonlyMap<string, LinePoints> {
  const ids = (facts.stated.lines ?? []).map(({ lineId }) => lineId);
  const rows = awardRows(posted);
  const sums = new Map(ids.map((id) => [id, { given: 0n, taken: 0n }]));
  for (const [n, row] of rows.entries()) {
    for (const [id, points] of sharesOf(row, { facts, rules, sums, later: () => rows.slice(n + 1) })) {
      const { given, taken } = sums.get(id) ?? { given: 0n, taken: 0n };
      sums.set(id, points > 0n ? { given: given + points, taken } : { given, taken: taken + points });
    }
  }
  return sums;
}

interface Standing {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  readonly sums: ReadonlyMap<string, LinePoints>;
  /** The rows after this one. */
  readonly later: () => readonly Row[];
}

type Weights = ReadonlyMap<string, Fraction>;

function sharesOf(row: Row, standing: Standing): readonly (readonly [string, bigint])[] {
  const { facts, rules, sums } = standing;
  const own = row.object?.startsWith("line_item-") ? row.object.slice("line_item-".length) : null;
  if (own !== null && sums.has(own)) return [[own, row.taken]];
  const refund = facts.refunds.find((one) => isRefundCause(row.cause, facts.orderId, one));
  const had = mapValues(sums, ({ given, taken }) => ({ num: given + taken, den: 1n }));
  const first = refund === undefined ? excessOf(had, row.taken, standing) : lossOf(refund, facts, rules);
  const options = [first, had, evenly(sums)];
  const weights = options.find((each) => [...each.values()].some(({ num }) => num > 0n));
  return weights === undefined ? [] : apportion(row.taken, weights);
}

/** Returns by how much each line's earnings decreased with a refund, after earlier refunds. */
function lossOf(refund: RefundFact, facts: StoredFacts, rules: OrderRules): Weights {
  const n = facts.refunds.indexOf(refund);
  const before = earningsWith(facts.refunds.slice(0, n), facts, rules);
  const after = earningsWith(facts.refunds.slice(0, n + 1), facts, rules);
  return new Map([...before].map(([id, points]) => [id, minus(points, after.get(id) ?? ZERO)]));
}

/**
 * Returns what each line had beyond its earnings without later refunds; for an edit that returned a line, that line's points. Earnings are fractions:
 * where rounding took more than the lines had beyond them, they are rounded down. Empty: that is still less than was taken, as by a cancellation.
 */
function excessOf(had: Weights, taken: bigint, { facts, rules, later }: Standing): Weights {
  const earnings = earningsWith(refundsWithout(later(), facts), facts, rules);
  const beyond = (roundedBy: (points: Fraction) => Fraction) =>
    new Map(
      [...had].map(([id, points]) => {
        const excess = minus(points, roundedBy(earnings.get(id) ?? ZERO));
        return [id, excess.num > 0n ? excess : ZERO];
      }),
    );
  const options = [beyond((points) => points), beyond(({ num, den }) => ({ num: num / den, den: 1n }))];
  const covers = (weights: Weights) => {
    const { num, den } = [...weights.values()].reduce(plus, ZERO);
    return num >= -taken * den;
  };
  return options.find(covers) ?? new Map();
}

/** Returns the refunds except those that were to take points in these rows. One whose row is of 0 points stays: an edit took the points of its lines. */
function refundsWithout(rows: readonly Row[], { orderId, refunds }: StoredFacts): readonly RefundFact[] {
  const causes = new Set(rows.filter(({ requested }) => requested !== 0n).map(({ cause }) => cause));
  return refunds.filter((refund) => !refundKeys(orderId, refund).some((key) => causes.has(key)));
}

function earningsWith(refunds: readonly RefundFact[], facts: StoredFacts, rules: OrderRules): Weights {
  const lines = orderBreakdown({ ...facts, cancelledAt: null }, rules, refunds);
  return new Map(
    lines.map(({ line, goodsPoints, taxPoints }) => {
      const { byRate, byBonus } = addPoints(goodsPoints, taxPoints);
      return [line.lineId, plus(byRate, byBonus)];
    }),
  );
}

function evenly(sums: ReadonlyMap<string, LinePoints>): Weights {
  return mapValues(sums, () => ({ num: 1n, den: 1n }));
}

function mapValues<Value, Other>(map: ReadonlyMap<string, Value>, of: (value: Value) => Other): Map<string, Other> {
  return new Map([...map].map(([key, value]) => [key, of(value)]));
}

/**
 * Distributes whole points by weights, ignoring those of 0 or less. What rounding leaves goes to the largest remainders, in the order of the lines.
 */
function apportion(points: bigint, weights: Weights): readonly (readonly [string, bigint])[] {
  const size = points < 0n ? -points : points;
  const counting = [...weights].filter(([, { num }]) => num > 0n);
  const total = counting.reduce((sum, [, weight]) => plus(sum, weight), ZERO);
  const shares = counting.map(([id, { num, den }]) => {
    const [top, bottom] = [size * num * total.den, den * total.num];
    return { id, whole: top / bottom, rest: { num: top % bottom, den: bottom } };
  });
  let left = size - shares.reduce((sum, { whole }) => sum + whole, 0n);
  const byRest = shares.toSorted(
    (a, b) => Number(minus(b.rest, a.rest).num > 0n) - Number(minus(a.rest, b.rest).num > 0n),
  );
  const extra = new Set(byRest.filter(() => left-- > 0n).map(({ id }) => id));
  const sign = points < 0n ? -1n : 1n;
  return shares.map(({ id, whole }) => [id, sign * (whole + (extra.has(id) ? 1n : 0n))] as const); // cast: a pair
}
