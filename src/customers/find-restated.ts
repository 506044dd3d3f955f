import type { Tx } from "../db/pool.ts";
import type { CustomerPatch, CustomerRow } from "./customer.ts";
import { selectByStorefrontIds } from "./customer-queries.ts";
import { changesNoField, isSettled } from "./patched-customers.ts";
import { firstDifference, statementOf, statementOfRow } from "./tag-history.ts";
import { selectStatements } from "./tag-queries.ts";

/** A customer of whom a patch says what is stored. */
export interface RestatedCustomer {
  readonly customer: CustomerRow;
  /** Whether the patch has nothing to write either: neither a newer version nor a statement of tags. */
  readonly settled: boolean;
}

/**
 * Finds the customers of patches that change no field, and the tags of no instant, by two statements for any count of patches. Nothing is
 * locked: `upsertCustomers` decides again where there is something to write. Returns one for each patch, in their order; undefined: the
 * customer is unknown, deleted, named by the id of one who was merged, or changed by the patch.
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
