import type { CustomerRow } from "../customers/customer.ts";
import { findFormerOwners } from "../customers/find-former-owners.ts";
import { statementOfRow, tagsAt } from "../customers/tag-history.ts";
import { selectStatements } from "../customers/tag-queries.ts";
import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Program } from "../program/program.ts";
import { defaultTier } from "../tiers/tier-rules.ts";
import { tiersAt } from "../tiers/tiers-at.ts";
import { type MovedIn, type OrderRules, snapshotRules } from "./order-rules.ts";
import { type PlacedOrder, readMovedIn } from "./read-moved-in.ts";

/** The data on which the rules of an order depend. */
export interface RulesInput {
  /** The program that applies to orders of the instant. */
  readonly program: Program;
  /** null: a guest's order. */
  readonly customer: CustomerRow | null;
  /** The customer's id as the order names it: another customer's until a merge. Absent or null: it names none. */
  readonly namedId?: string | null | undefined;
  readonly instant: Temporal.Instant;
  /** When the order became known here; null: it does not exist yet, or is from now. */
  readonly receivedAt: Temporal.Instant | null;
}

/**
 * Returns the rules for customers' orders, each at an instant (program.md 4, Snapshot), in the order of `inputs`, by the tiers and tags
 * that are now known for those times, and by the files of other apps. Products are not included yet.
 */
export async function readOrderRules(
  queryable: Queryable,
  inputs: readonly RulesInput[],
): Promise<readonly OrderRules[]> {
  const owners = await readOwners(queryable, inputs);
  const owned = inputs.flatMap((input) => {
    const { program, customer, instant } = input;
    return customer === null ? [] : [{ program, customer, instant, owner: owners.get(input) ?? customer }];
  });
  const received = inputs.filter(isReceived);
  const byTags = owned.filter(({ program }) => program.earning.excludedCustomerTags.length > 0);
  const [tiers, statements, moved] = await Promise.all([
    tiersAt(
      queryable,
      owned.map(({ owner, ...of }) => ({ ...of, customer: owner })),
    ),
    byTags.length === 0
      ? undefined
      : selectStatements(
          queryable,
          byTags.map(({ customer }) => customer),
        ),
    readMovedIn(queryable, received),
  ]);
  const movedInOf = new Map<RulesInput, MovedIn | undefined>(received.map((input, i) => [input, moved[i]]));
  const next = tiers.values();
  return inputs.map((input) => {
    const { program, customer, instant } = input;
    if (customer === null) return snapshotRules(program, defaultTier(program.tiers.rules), instant, []);
    const tier = next.next().value;
    if (tier === undefined) throw new Error("a customer has no tier");
    const isByTags = program.earning.excludedCustomerTags.length > 0;
    const said = statements?.get(customer.customerUid) ?? statementOfRow(customer);
    const rules = snapshotRules(program, tier, instant, isByTags ? tagsAt(said, instant) : []);
    return { ...rules, movedIn: movedInOf.get(input) ?? rules.movedIn };
  });
}

/**
 * Returns the customers whose tier counts for orders of a time before they were merged, if the orders name them: otherwise an order would earn at
 * another tier only because its events come after the merge.
 */
async function readOwners(
  queryable: Queryable,
  inputs: readonly RulesInput[],
): Promise<ReadonlyMap<RulesInput, CustomerRef>> {
  const named = inputs.flatMap((input) => {
    const { customer, namedId } = input;
    if (customer === null || !namedId || namedId === customer.storefrontId) return [];
    return [{ input, customerUid: customer.customerUid, storefrontId: namedId }];
  });
  const found = await findFormerOwners(queryable, named);
  return new Map(
    named.flatMap(({ input, storefrontId }) => {
      const owner = found.get(storefrontId);
      const isBefore = owner !== undefined && Temporal.Instant.compare(input.instant, owner.until) < 0;
      return isBefore ? [[input, owner] as const] : [];
    }),
  );
}

function isReceived(input: RulesInput): input is RulesInput & PlacedOrder {
  return input.customer !== null && input.receivedAt !== null;
}
