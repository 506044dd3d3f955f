import type { OrderLine } from "../../platforms/neutral-events.ts";
import type { Rate } from "../../program/program.ts";
import type { StoredFacts } from "../facts/order-facts.ts";
import type { OrderRules, ProductFacts } from "./order-rules.ts";

/** The amounts on which a line earns, as ordered: minor units of the store's currency, before refunds. */
export interface LineDraft {
  readonly line: OrderLine;
  /** Awarded as type `fulfillment`. */
  readonly goods: bigint;
  /** Whether they contain the line's tax. */
  readonly isTaxed: boolean;
  /** Awarded as type `tax`: 0 unless the store awards tax separately. */
  readonly tax: bigint;
  /** null until the rate's rule has run. */
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
  /** Whether the rule also applies to tier spend: true for all rules before the product exclusions (program.md 6). */
  readonly countsForSpend: boolean;
  readonly apply: (lines: readonly LineDraft[], context: EarningContext) => readonly LineDraft[];
}

/** Returns what is known about a line's product: from the line itself, otherwise as pinned with the order's rules. */
export function productOf(line: OrderLine, rules: OrderRules): ProductFacts {
  const pinned = line.productId === null ? null : rules.products.get(line.productId);
  return {
    tags: line.tags ?? pinned?.tags ?? [],
    collections: line.collections ?? pinned?.collections ?? [],
  };
}
