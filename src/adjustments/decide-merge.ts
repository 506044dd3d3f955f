import { recordAction } from "../audit/record-action.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { selectCustomer } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import { refOf } from "../ledger/customer-ref.ts";
import { readHolders } from "../ledger/merge/merge-queries.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { Problem } from "../problems.ts";
import type { MergeRequest } from "./adjustment-request.ts";
import type { Deciding } from "./lock-decidable.ts";
import { writeDecision } from "./request-queries.ts";
import { type MergeResult, tryMerge } from "./try-merge.ts";

/**
 * Decides a locked request to merge two customers. If approved, they are merged in their present state. Throws `customer_merged` (409) if they are
 * already merged, or one of them into another customer, `customer_not_found` if one was deleted, and `request_changed` (409) if one of the two has
 * more points than were requested: then the request continues to wait. A request of a version that counted only the removed customer's points, or not
 * what orders have yet to award, is refused in this way where there are more.
 */
export async function decideMerge(
  tx: Tx,
  deps: PostingDeps,
  request: MergeRequest,
  { decision, staff, note }: Deciding,
): Promise<void> {
  const { uid, requestedName, requestedBy, pointValue, removedId } = request;
  const kept = await selectCustomer(tx, request);
  if (kept === undefined) throw new Error(`request ${uid} is about nobody`);
  if (decision === "approved") {
    const removed = await selectCustomer(tx, refOf(request.removedUid));
    if (removed === undefined) throw new Problem("customer_not_found");
    await refuseMerged(tx, { kept, removed });
    if (removed.deletedAt !== null || kept.deletedAt !== null) throw new Problem("customer_not_found");
    const asked = { kept: kept.storefrontId, removed: removed.storefrontId, staffUid: requestedBy };
    const result = await tryMerge(tx, deps, asked, { approved: pointValue });
    const isSame =
      result.kept.customer.customerUid === kept.customerUid &&
      result.removed.customer.customerUid === removed.customerUid;
    if (!isSame) throw new Problem("request_changed");
    if (result.over !== null) throw moreThanRequested(result, pointValue);
  }
  await writeDecision(tx, uid, { decision, by: staff.uid, name: staff.name, at: deps.clock.now(), note });
  await recordAction(tx, deps, {
    action: `customer.merge_${decision}`,
    subject: { kind: "customer", id: kept.storefrontId },
    after: { request: uid, requested_by: requestedName, merged: removedId, counted_points: pointValue },
  });
}

function moreThanRequested({ counted, countedOpen }: MergeResult, requested: bigint): Problem {
  const ofOrders = countedOpen === 0n ? "" : `, ${countedOpen} of them from orders that have not awarded them yet`;
  const has = `one has ${counted}${ofOrders}`;
  const expected = `expected two customers with at most ${requested} points each, as requested; ${has}`;
  const detail = `${expected}: refuse or withdraw this request, and ask for the merge again`;
  return new Problem("request_changed", { faults: [{ detail }] });
}

/** Throws `customer_merged`, with what happened to the two customers. */
async function refuseMerged(
  tx: Tx,
  { kept, removed }: { readonly kept: CustomerRow; readonly removed: CustomerRow },
): Promise<void> {
  const holders = await readHolders(tx, [kept, removed]);
  if (holders.size === 0) return;
  const holderOf = ({ customerUid }: CustomerRow) => holders.get(customerUid)?.customerUid ?? customerUid;
  const next = "refuse or withdraw this request";
  if (holderOf(kept) === holderOf(removed)) {
    const detail = `${removed.storefrontId} and ${kept.storefrontId} are one customer already: ${next}`;
    throw new Problem("customer_merged", { faults: [{ detail }] });
  }
  const gone = [kept, removed].filter(({ customerUid }) => holders.has(customerUid));
  const names = gone.map(({ storefrontId }) => storefrontId).join(" and ");
  const detail = `${names} became part of somebody else: ${next}, and ask for a merge with that customer`;
  throw new Problem("customer_merged", { faults: [{ detail }] });
}
