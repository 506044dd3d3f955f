import { adjustmentExcess } from "../allowance/allowance.ts";
import { lockMover, readMoved } from "../allowance/queries.ts";
import { recordMovement } from "../allowance/record-movement.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { editCustomer, type ProfileEdit } from "../customers/edit-customer.ts";
import { isMemberId } from "../customers/member-id.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import { invalid } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";

/** A change of a customer's profile, and the person who makes it. */
export interface EditByHand extends ProfileEdit {
  readonly staffUid: string;
}

/**
 * Changes a customer in a person's name, like `editCustomer`. A member who is known only by e-mail is merged into the platform's customer who has
 * the address, whoever that is, so another address gives the member's points away (decision 88): they count in the person's allowance, and above
 * it the address is refused. Throws like `editCustomer`.
 */
export function editByHand(deps: Deps, named: string, { staffUid, ...edit }: EditByHand): Promise<CustomerRow> {
  return deps.db.tx(async (tx) => {
    if (typeof edit.changes.email === "string") await lockMover(tx, staffUid);
    const { before, customer } = await editCustomer(tx, deps, named, edit);
    const hasOtherAddress = customer.email !== null && customer.email !== before.email;
    if (hasOtherAddress && isMemberId(customer.storefrontId)) await countPoints(tx, deps, customer, staffUid);
    return customer;
  });
}

async function countPoints(tx: Tx, deps: Pick<Deps, "clock">, member: CustomerRow, staffUid: string): Promise<void> {
  const [balance] = await lockLiveBalances(tx, [member]);
  const points = balance?.ledgerPoints ?? 0n;
  if (points === 0n) return;
  const now = deps.clock.now();
  const { staff } = await readProgram(tx);
  const moved = await readMoved(tx, member, { staffUid, now });
  if (adjustmentExcess(staff, points, moved) !== null) throw invalid("/changes/email", givesAway(points));
  await recordMovement(tx, { staffUid, at: now, of: member, given: points, taken: 0n });
}

function givesAway(points: bigint): string {
  return (
    `another address gives the member's ${points} points to whoever has it, more than you may move without approval: ` +
    "create a customer with the new address, and merge the two"
  );
}
