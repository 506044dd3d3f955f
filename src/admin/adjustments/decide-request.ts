import { recordAction } from "../../audit/record-action.ts";
import { selectCustomer } from "../../customers/customer-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { refOf } from "../../ledger/customer-ref.ts";
import { readHolders } from "../../ledger/read-holders.ts";
import { Problem } from "../../problems.ts";
import { checkSecondPerson } from "../../staff/check-second-person.ts";
import { type AdjustmentRequest, type Decision, decisionRefusal, requestedAdjustment } from "./adjustment-request.ts";
import { postAdjustment } from "./post-adjustment.ts";
import { readUndoable } from "./read-undoable.ts";
import { lockRequest, writeDecision } from "./request-queries.ts";

/** Who decides, and what they say of it. */
export interface Deciding {
  readonly decision: Decision;
  readonly staff: { readonly uid: string; readonly name: string };
  readonly mayApprove: boolean;
  readonly note: string | null;
}

/**
 * Decides a request, under its lock: an approval posts it, once whatever the clicks and races. The same decision by the same person again
 * changes nothing. Throws `not_found`; `forbidden` where it is the person's own (or to withdraw, is not) or the role may not;
 * `same_person` of `checkSecondPerson`; `request_decided`, `request_expired`; `request_changed` where it would move more than was asked for, or sets the balance of a customer
 * whom the asked one was merged into; and what posting refuses, the request waiting on.
 */
export async function decideRequest(
  deps: Pick<Deps, "db" | "clock" | "random" | "wake" | "config">,
  uid: string,
  deciding: Deciding,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const request = await lockRequest(tx, uid);
    if (request === undefined) throw new Problem("not_found");
    const { decision, staff, note } = deciding;
    if (request.state === decision && request.decidedBy === staff.uid) return;
    const at = deps.clock.now();
    const refusal = decisionRefusal(request, decision, { ...deciding, uid: staff.uid }, at);
    if (refusal !== null) throw new Problem(refusal);
    if (decision === "approved")
      await checkSecondPerson(tx, deps, { requestedBy: request.requestedBy, decidedBy: staff.uid });
    const { customer, allotmentUid } = await carryOut(tx, deps, request, decision);
    await writeDecision(tx, uid, { decision, by: staff.uid, name: staff.name, at, note, allotmentUid });
    await recordAction(tx, deps, {
      action: `points.adjustment_${decision}`,
      subject: { kind: "customer", id: customer.storefrontId },
      after: { request: uid, requested_by: request.requestedName, point_value: request.pointValue },
    });
  });
}

async function carryOut(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  request: AdjustmentRequest,
  decision: Decision,
) {
  const holders = await readHolders(tx, [request]);
  const ref = holders.get(request.customerUid) ?? refOf(request.customerUid);
  const customer = await selectCustomer(tx, ref);
  if (customer === undefined) throw new Error(`request ${request.uid} is about nobody`);
  if (decision !== "approved") return { customer, allotmentUid: null };
  if (customer.deletedAt !== null) throw new Problem("customer_not_found");
  if (request.kind === "set" && customer.customerUid !== request.customerUid) throw new Problem("request_changed");
  const undoable = request.undoes === null ? null : (await readUndoable(tx, request.undoes, deps.clock.now())).undoable;
  const wanted = requestedAdjustment(request, customer, undoable);
  const posted = await postAdjustment(tx, deps, wanted, { limit: approvedPoints(request), staffUid: null });
  if (posted.kind !== "posted") throw new Problem("request_changed");
  if (posted.isRepeated) throw new Problem("request_decided");
  return { customer, allotmentUid: posted.allotmentUid };
}

/** So many, either way, are what the approver saw. */
function approvedPoints({ pointValue }: AdjustmentRequest): bigint {
  return pointValue < 0n ? -pointValue : pointValue;
}
