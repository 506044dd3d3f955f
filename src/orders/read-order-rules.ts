import type { CustomerRow } from "../customers/customer.ts";
import { readTagsAt } from "../customers/read-tags-at.ts";
import type { Queryable } from "../db/pool.ts";
import type { Program } from "../program/program.ts";
import { tierAt } from "../tiers/tier-at.ts";
import { defaultTier } from "../tiers/tier-rules.ts";
import { type OrderRules, snapshotRules } from "./order-rules.ts";

/**
 * The rules for a customer's order of an instant (program.md 4, Snapshot), by a program that holds then and by the tier and tags that are
 * known now of that time; `customer` null: a guest's. Nothing is known of products yet.
 */
export async function readOrderRules(
  queryable: Queryable,
  {
    program,
    customer,
    instant,
  }: { readonly program: Program; readonly customer: CustomerRow | null; readonly instant: Temporal.Instant },
): Promise<OrderRules> {
  if (customer === null) return snapshotRules(program, defaultTier(program.tiers.rules), instant, []);
  const [tier, tags] = await Promise.all([
    tierAt(queryable, customer, { program, instant }),
    program.earning.excludedCustomerTags.length === 0 ? [] : readTagsAt(queryable, customer, instant),
  ]);
  return snapshotRules(program, tier, instant, tags);
}
