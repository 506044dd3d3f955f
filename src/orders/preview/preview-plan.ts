import type { StoredFacts } from "../facts/order-facts.ts";
import { type OrderRules, type ProductFacts, pinProducts } from "../plan/order-rules.ts";
import { planOrderPostings } from "../plan/plan-order-postings.ts";
import { type LineBreakdown, orderBreakdown } from "./preview-breakdown.ts";
import { asShippedWhole } from "./preview-facts.ts";

export interface PreviewLine extends LineBreakdown {
  /** The points of its allotments, rounded like the order's, in the order of the lines. */
  readonly points: bigint;
}

export interface Preview {
  readonly rules: OrderRules;
  readonly processedAt: Temporal.Instant;
  /** All points of the order, once it is paid and completely shipped. */
  readonly points: bigint;
  readonly lines: readonly PreviewLine[];
}

/** After the end of every pending period. */
const LATER_THAN_ALL = Temporal.Instant.from("+275000-01-01T00:00:00Z");

/** Returns what an order will be awarded (program.md 4, Target), planned by the function that plans every order's postings. */
export function previewPlan(input: {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  readonly products: ReadonlyMap<string, ProductFacts>;
  readonly processedAt: Temporal.Instant;
}): Preview {
  const facts = asShippedWhole(input.facts, input.processedAt);
  const rules = pinProducts(input.rules, facts, input.products);
  const plan = planOrderPostings({
    facts,
    rules,
    products: input.products,
    alreadyPosted: [],
    coupons: [],
    now: LATER_THAN_ALL,
  });
  const points = new Map<string | null, bigint>();
  for (const { object, pointValue } of plan.postings) points.set(object, (points.get(object) ?? 0n) + pointValue);
  const lines = orderBreakdown(facts, rules).map((line) => {
    return { ...line, points: points.get(`line_item-${line.line.lineId}`) ?? 0n };
  });
  return { rules, processedAt: input.processedAt, points: plan.awardablePoints, lines };
}
