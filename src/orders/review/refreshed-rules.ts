import type { Program } from "../../program/program.ts";
import type { OrderRules, ProductFacts } from "../plan/order-rules.ts";

/** What an order's rules took from other data, and what that data is now. */
export interface RulesChange {
  /** Products whose tags or collections have changed. */
  readonly products: readonly {
    readonly productId: string;
    readonly before: ProductFacts | null;
    readonly after: ProductFacts;
  }[];
  /** Whether the customer had an excluded tag then, if the present data differs. */
  readonly customerExcluded: { readonly before: boolean; readonly after: boolean } | null;
}

/**
 * Returns the rules of an order with the present data about its products and its customer's tags at its processed time. Everything from the
 * program (tier and rates, campaign, settings) stays as in the snapshot (program.md 4), and so do products about which nothing is known any
 * more. `program`: that of the snapshot's version; `customerTags`: at the processed time, null: the order has no customer.
 */
export function refreshedRules(
  rules: OrderRules,
  known: {
    readonly products: ReadonlyMap<string, ProductFacts>;
    readonly program: Program;
    readonly customerTags: readonly string[] | null;
  },
): { readonly rules: OrderRules; readonly change: RulesChange } {
  const products = [...rules.products].flatMap(([productId, before]) => {
    const after = known.products.get(productId);
    return after === undefined || isSame(before, after) ? [] : [{ productId, before, after }];
  });
  const before = rules.isCustomerExcluded;
  const after = known.customerTags === null ? before : bearsAny(known.customerTags, known.program);
  return {
    rules: {
      ...rules,
      isCustomerExcluded: after,
      products: new Map([...rules.products, ...products.map((one) => [one.productId, one.after] as const)]),
    },
    change: { products, customerExcluded: before === after ? null : { before, after } },
  };
}

function bearsAny(tags: readonly string[], { earning }: Program): boolean {
  const excluded = new Set(earning.excludedCustomerTags.map(normalizedTag));
  return tags.some((tag) => excluded.has(normalizedTag(tag)));
}

function isSame(a: ProductFacts | null, b: ProductFacts): boolean {
  return a !== null && sameSet(a.tags, b.tags) && sameSet(a.collections, b.collections);
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [new Set(a), new Set(b)];
  return one.size === other.size && [...one].every((text) => other.has(text));
}

function normalizedTag(tag: string): string {
  return tag.trim().toLowerCase();
}
