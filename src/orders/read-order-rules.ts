import { findOwnersAt, type NamedAt } from "../customers/find-owners-at.ts";
import { statementOfRow, tagsAt } from "../customers/tags/tag-history.ts";
import { selectStatements } from "../customers/tags/tag-queries.ts";
import type { Queryable } from "../db/pool.ts";
import type { Program } from "../program/program.ts";
import { defaultTier } from "../tiers/tier-rules.ts";
import { tiersAt } from "../tiers/tiers-at.ts";
import { type MovedIn, type OrderRules, snapshotRules } from "./plan/order-rules.ts";
import { type PlacedOrder, readMovedIn } from "./read-moved-in.ts";

/** The data on which the rules of an order depend. */
export interface RulesInput extends NamedAt {
  /** The program that applies to orders of the instant. */
  readonly program: Program;
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
  const owners = await findOwnersAt(queryable, inputs);
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
      : selectStatements(queryable, [...byTags.map(({ customer }) => customer), ...owners.values()]),
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
    const owner = owners.get(input)?.customerUid ?? "";
    const said = statements?.get(owner) ?? statements?.get(customer.customerUid) ?? statementOfRow(customer);
    const rules = snapshotRules(program, tier, instant, isByTags ? tagsAt(said, instant) : []);
    return { ...rules, movedIn: movedInOf.get(input) ?? rules.movedIn };
  });
}

function isReceived(input: RulesInput): input is RulesInput & PlacedOrder {
  return input.customer !== null && input.receivedAt !== null;
}
