import type { CustomerRow } from "../customers/customer.ts";
import { statementOfRow, tagsAt } from "../customers/tag-history.ts";
import { selectStatements } from "../customers/tag-queries.ts";
import type { Queryable } from "../db/pool.ts";
import type { Program } from "../program/program.ts";
import { defaultTier } from "../tiers/tier-rules.ts";
import { tiersAt } from "../tiers/tiers-at.ts";
import { type OrderRules, snapshotRules } from "./order-rules.ts";

/** What the rules of an order hang on. */
export interface RulesInput {
  /** Holds for orders of the instant. */
  readonly program: Program;
  /** Null: a guest's order. */
  readonly customer: CustomerRow | null;
  readonly instant: Temporal.Instant;
}

/**
 * The rules for customers' orders of an instant each (program.md 4, Snapshot), in the order of `inputs`, by the tiers and tags that are
 * known now of those times. Nothing is known of products yet.
 */
export async function readOrderRules(
  queryable: Queryable,
  inputs: readonly RulesInput[],
): Promise<readonly OrderRules[]> {
  const owned = inputs.flatMap(({ program, customer, instant }) =>
    customer === null ? [] : [{ program, customer, instant }],
  );
  const byTags = owned.filter(({ program }) => program.earning.excludedCustomerTags.length > 0);
  const [tiers, statements] = await Promise.all([
    tiersAt(queryable, owned),
    byTags.length === 0
      ? undefined
      : selectStatements(
          queryable,
          byTags.map(({ customer }) => customer),
        ),
  ]);
  const next = tiers.values();
  return inputs.map(({ program, customer, instant }) => {
    if (customer === null) return snapshotRules(program, defaultTier(program.tiers.rules), instant, []);
    const tier = next.next().value;
    if (tier === undefined) throw new Error("a customer has no tier");
    const isByTags = program.earning.excludedCustomerTags.length > 0;
    const said = statements?.get(customer.customerUid) ?? statementOfRow(customer);
    return snapshotRules(program, tier, instant, isByTags ? tagsAt(said, instant) : []);
  });
}
