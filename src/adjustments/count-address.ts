import { adjustmentExcess } from "../allowance/allowance.ts";
import { readMoved } from "../allowance/queries.ts";
import { recordMovement } from "../allowance/record-movement.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { isMemberId } from "../customers/member-id.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import { invalid } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { readOpenPoints } from "./read-open-points.ts";

/** An address that a person has entered for a customer. */
export interface EnteredAddress {
  /** As it is now, with the address. */
  readonly customer: CustomerRow;
  /** The address before, under which guests' orders may wait that the customer is about to get; null: there was none. */
  readonly formerEmail: string | null;
  readonly staffUid: string;
  /** Of the address in the request. */
  readonly pointer: string;
}

/**
 * Counts the points that an entered address gives away in the person's allowance: all points of a member who is known only by e-mail (decision 88), with
 * those that orders of the member or under the former address have yet to award, or, of another customer, those of guests' orders that wait under the
 * address (decision 91). Throws `invalid` naming the address if they exceed the allowance. Call it under `lockMover`, in the transaction that writes the
 * address.
 */
export async function countAddress(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { customer, formerEmail, staffUid, pointer }: EnteredAddress,
): Promise<void> {
  const isMember = isMemberId(customer.storefrontId);
  const balance = isMember ? await balanceOf(tx, customer) : 0n;
  const place = isMember ? { customer, email: formerEmail } : { customer: null, email: customer.email };
  const open = await readOpenPoints(tx, place);
  const points = balance + open;
  if (points === 0n) return;
  const now = deps.clock.now();
  const { staff } = await readProgram(tx);
  const moved = await readMoved(tx, customer, { staffUid, now });
  if (adjustmentExcess(staff, points, moved) !== null)
    throw invalid(pointer, isMember ? givesAway(points, open) : givesOfGuests(points));
  await recordMovement(tx, { staffUid, at: now, of: customer, given: points, taken: 0n });
}

async function balanceOf(tx: Tx, member: CustomerRow): Promise<bigint> {
  const [balance] = await lockLiveBalances(tx, [member]);
  return balance?.ledgerPoints ?? 0n;
}

function givesAway(points: bigint, open: bigint): string {
  const ofOrders = open === 0n ? "" : `, ${open} of them from orders that have not awarded them yet,`;
  return (
    `another address gives the member's ${points} points${ofOrders} to whoever has it, more than you may move without approval: ` +
    "create a customer with the new address, and merge the two"
  );
}

function givesOfGuests(points: bigint): string {
  return (
    `this address gives the customer ${points} points of guests' orders, more than you may move without approval: ` +
    "create a customer who has only this address, and merge the two"
  );
}
