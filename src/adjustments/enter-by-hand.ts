import { lockMover } from "../allowance/queries.ts";
import { createByHand, type EnteredCustomer } from "../customers/create-by-hand.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { isMemberId } from "../customers/member-id.ts";
import type { Deps } from "../deps.ts";
import { countAddress } from "./count-address.ts";

/**
 * Creates a customer in a person's name, like `createByHand`. Under an id of the platform, the points of guests' orders that the address gives to the
 * customer count in the person's allowance (decision 91). Throws like `createByHand`, and `invalid` naming the address.
 */
export function enterByHand(
  deps: Deps,
  { staffUid, ...entered }: EnteredCustomer & { readonly staffUid: string },
): Promise<CustomerRow> {
  return deps.db.tx(async (tx) => {
    await lockMover(tx, staffUid);
    const customer = await createByHand(tx, deps, entered);
    const isOfPlatform = !isMemberId(customer.storefrontId);
    if (isOfPlatform && customer.email !== null)
      await countAddress(tx, deps, { customer, formerEmail: null, staffUid, pointer: "/profile/email" });
    return customer;
  });
}
