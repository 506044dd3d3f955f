import type { UsedCoupon } from "../../src/orders/coupons/coupon-return.ts";
import { mergeFacts, type OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import { decodeFacts, encodeFacts, type StoredFacts } from "../../src/orders/facts/order-facts.ts";
import { decodeRules, encodeRules, type OrderRules, type ProductFacts } from "../../src/orders/plan/order-rules.ts";
import { type OrderPlan, planOrderPostings } from "../../src/orders/plan/plan-order-postings.ts";
import type { PlannedPosting, PostedCauseRow } from "../../src/orders/plan/planned-posting.ts";

export interface OrderRun {
  readonly facts: StoredFacts;
  readonly plan: OrderPlan;
  readonly postings: readonly PlannedPosting[];
  readonly rows: readonly PostedCauseRow[];
}

export interface RunOptions {
  readonly products?: ReadonlyMap<string, ProductFacts>;
  readonly coupons?: readonly UsedCoupon[];
  /** The clock at each event; far after all of them by default. */
  readonly now?: Temporal.Instant;
}

/** Processes events in order like the service: merge, plan, store, with JSON in between. Nothing is capped. */
export function runOrder(events: readonly OrderEvent[], firstRules: OrderRules, options: RunOptions = {}): OrderRun {
  let run: OrderRun | null = null;
  for (const event of events) {
    const facts: StoredFacts = mergeFacts(run === null ? null : throughJson(run.facts), event);
    run = step(facts, run?.plan.rules ?? firstRules, run, options);
  }
  if (run === null) throw new Error("an order has at least one event");
  return run;
}

/** Plans the same order again at another time. */
export function planAgain(run: OrderRun, options: RunOptions): OrderRun {
  return step(run.facts, run.plan.rules, run, options);
}

function step(facts: StoredFacts, rules: OrderRules, before: OrderRun | null, options: RunOptions): OrderRun {
  const plan = planOrderPostings({
    facts,
    rules: decodeRules(JSON.parse(JSON.stringify(encodeRules(rules)))),
    products: options.products ?? new Map(),
    alreadyPosted: before?.rows ?? [],
    coupons: options.coupons ?? [],
    now: options.now ?? Temporal.Instant.from("2027-01-01T00:00:00Z"),
  });
  const rows = [
    ...(before?.rows ?? []),
    ...plan.postings.map(({ key, pointValue }) => ({ cause: key, requested: pointValue, taken: pointValue })),
    ...plan.settled.map((cause) => ({ cause, requested: 0n, taken: 0n })),
  ];
  return { facts, plan, rows, postings: [...(before?.postings ?? []), ...plan.postings] };
}

function throughJson(facts: StoredFacts): StoredFacts {
  return decodeFacts(JSON.parse(JSON.stringify(encodeFacts(facts))));
}
