import type { Tx } from "../db/pool.ts";
import type { CustomerPatch, CustomerRow } from "./customer.ts";
import { selectByStorefrontIds } from "./customer-queries.ts";
import { changesNoField, isSettled } from "./profile/patched-customers.ts";
import { firstDifference, statementOf, statementOfRow } from "./tags/tag-history.ts";
import { selectStatements } from "./tags/tag-queries.ts";

/** A customer whose stored data a patch repeats. */
export interface RestatedCustomer {
  readonly customer: CustomerRow;
  /** Whether the patch has nothing to write at all: neither a newer version nor a statement of tags. */
  readonly settled: boolean;
}

/**
 * Finds the customers of patches that change no field, and no tags at any time, with two statements for any number of patches. Nothing is locked:
 * `upsertCustomers` decides again if there is something to write. Returns one entry per patch, in their order; undefined: the customer is unknown,
 * deleted, named by the id of a merged customer, or changed by the patch.
 */
export async function findRestated(
  tx: Tx,
  patches: readonly CustomerPatch[],
  now: Temporal.Instant,
): Promise<readonly (RestatedCustomer | undefined)[]> {
  const known = await selectByStorefrontIds(tx, [...new Set(patches.map(({ storefrontId }) => storefrontId))]);
  const found = patches.map((patch) => {
    const customer = known.get(patch.storefrontId);
    if (customer === undefined || !changesNoField(customer, patch)) return undefined;
    const settled = isSettled(customer, patch);
    return { customer, settled, statement: settled ? null : statementOf(patch, now) };
  });
  const tagged = found.flatMap((one) => (one === undefined || one.statement === null ? [] : [one.customer]));
  const kept = tagged.length === 0 ? new Map<string, never>() : await selectStatements(tx, tagged);
  return found.map((one) => {
    if (one === undefined || one.statement === null) return one;
    const before = kept.get(one.customer.customerUid) ?? statementOfRow(one.customer);
    return firstDifference(before, [...before, one.statement]) === null ? one : undefined;
  });
}
