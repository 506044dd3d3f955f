import type { CustomerRow } from "../customers/customer.ts";

/**
 * Returns which rows a redaction of an id erases, of its customer and of all who have been merged into this one: all of them, or only that of the id if
 * it is one of the merged.
 */
export function redactedRows(customer: CustomerRow, merged: readonly CustomerRow[], id: string): CustomerRow[] {
  return customer.storefrontId === id
    ? [customer, ...merged]
    : merged.filter(({ storefrontId }) => storefrontId === id);
}
