import type { Queryable } from "../db/pool.ts";
import type { CustomerRow } from "./customer.ts";
import { type FormerOwner, findFormerOwners } from "./find-former-owners.ts";

/** An order's customer, and the id and time that the order states. */
export interface NamedAt {
  /** null: a guest's order. */
  readonly customer: CustomerRow | null;
  /** The customer's id as the order names it: another customer's until a merge. Absent or null: it names none. */
  readonly namedId?: string | null | undefined;
  readonly instant: Temporal.Instant;
}

/**
 * Returns the customers whose tier and tags count for orders of a time before they were merged, if the orders name them: otherwise an order
 * would earn differently only because its events come after the merge.
 */
export async function findOwnersAt<Named extends NamedAt>(
  queryable: Queryable,
  orders: readonly Named[],
): Promise<ReadonlyMap<Named, FormerOwner>> {
  const named = orders.flatMap((order) => {
    const { customer, namedId } = order;
    if (customer === null || !namedId || namedId === customer.storefrontId) return [];
    return [{ order, customerUid: customer.customerUid, storefrontId: namedId }];
  });
  const found = await findFormerOwners(queryable, named);
  return new Map(
    named.flatMap(({ order, storefrontId }) => {
      const owner = found.get(storefrontId);
      const isBefore = owner !== undefined && Temporal.Instant.compare(order.instant, owner.until) < 0;
      return isBefore ? [[order, owner] as const] : [];
    }),
  );
}
