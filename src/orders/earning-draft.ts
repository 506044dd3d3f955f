import type { OrderLine } from "../platforms/neutral-events.ts";
import type { Rate } from "../program/program.ts";
import type { StoredFacts } from "./order-facts.ts";
import type { OrderRules, ProductFacts } from "./order-rules.ts";

/** What one line earns on, as ordered: minor units of the store's currency, refunds not yet taken off. */
export interface LineDraft {
  readonly line: OrderLine;
  /** Awarded as type `fulfillment`. */
  readonly goods: bigint;
  /** Awarded as type `tax`: 0 unless the store awards tax apart. */
  readonly tax: bigint;
  /** Null until the rate's rule has run. */
  readonly rate: Rate | null;
  readonly bonus: Rate | null;
}

export interface EarningContext {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
}

/** One rule of program.md 4, Target: changes the lines that earn, or drops them. */
export interface EarningRule {
  readonly name: string;
  /** Whether the tier spend goes by it too: true for all up to the product exclusions (program.md 6). */
  readonly countsForSpend: boolean;
  readonly apply: (lines: readonly LineDraft[], context: EarningContext) => readonly LineDraft[];
}

/** What is known of a line's product: by the line itself, else as pinned with the order's rules. */
export function productOf(line: OrderLine, rules: OrderRules): ProductFacts {
  const pinned = line.productId === null ? null : rules.products.get(line.productId);
  return {
    tags: line.tags ?? pinned?.tags ?? [],
    collections: line.collections ?? pinned?.collections ?? [],
  };
}
