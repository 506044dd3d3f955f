import { lockMover } from "../allowance/queries.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { editCustomer, type ProfileEdit } from "../customers/edit-customer.ts";
import type { Deps } from "../deps.ts";
import { countAddress } from "./count-address.ts";

/** A change of a customer's profile, and the person who makes it. */
export interface EditByHand extends ProfileEdit {
  readonly staffUid: string;
}

/**
 * Changes a customer in a person's name, like `editCustomer`. A member who is known only by e-mail is merged into the platform's customer who has
 * the address, and a guest's orders go to the customer who has it, so another address gives points away (decisions 88 and 91): they count in the
 * person's allowance, and above it the address is refused. Throws like `editCustomer`.
 */
export function editByHand(deps: Deps, named: string, { staffUid, ...edit }: EditByHand): Promise<CustomerRow> {
  return deps.db.tx(async (tx) => {
    if (typeof edit.changes.email === "string") await lockMover(tx, staffUid);
    const { before, customer } = await editCustomer(tx, deps, named, edit);
    const hasOtherAddress = customer.email !== null && customer.email !== before.email;
    const entered = { customer, formerEmail: before.email, staffUid, pointer: "/changes/email" };
    if (hasOtherAddress) await countAddress(tx, deps, entered);
    return customer;
  });
}
