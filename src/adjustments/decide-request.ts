import { recordAction } from "../audit/record-action.ts";
import { selectCustomer } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import { type CustomerRef, refOf } from "../ledger/customer-ref.ts";
import { readHolders, selectJoinedSince } from "../ledger/merge/merge-queries.ts";
import { Problem } from "../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import {
  type AdjustmentRequest,
  type ApprovalRequest,
  type Decision,
  type ImportRequest,
  isAdjustment,
  requestedAdjustment,
} from "./adjustment-request.ts";
import { decideImport } from "./decide-import.ts";
import { decideMerge } from "./decide-merge.ts";
import { decideProgram } from "./decide-program.ts";
import { type Deciding, lockDecidable } from "./lock-decidable.ts";
import { postAdjustment } from "./post-adjustment.ts";
import { readUndoable } from "./read-undoable.ts";
import { selectRequest, writeDecision } from "./request-queries.ts";

/**
 * Decides a request under its lock. An approval does what was requested, once despite repeated clicks and races; the same decision by the same person
 * again changes nothing. Throws `not_found`, the errors of `lockDecidable`, `program_changed`, and `request_changed` if an adjustment would move more
 * than was requested or in the other direction, or would set a balance that is another customer's, or that of two, since a merge. It also throws the
 * errors of the adjustment, the import or the change of the program; then the request continues to wait. A kind that only a newer release knows is
 * `not_found` here: the nodes of that release decide it.
 */
export async function decideRequest(
  deps: Pick<Deps, "db" | "clock" | "random" | "wake" | "config" | "postings" | "log" | "secretBox">,
  uid: string,
  deciding: Deciding,
): Promise<void> {
  const found = await selectRequest(deps.db, uid);
  if (found === undefined) throw new Problem("not_found");
  if (found.kind === "program") {
    await decideProgram(deps, found, deciding);
    return;
  }
  await deps.db.tx(async (tx) => {
    const request = await lockDecidable(tx, deps, uid, deciding);
    if (request === null) return;
    if (isAdjustment(request)) await decideAdjustment(tx, deps, request, deciding);
    else if (request.kind === "merge") await decideMerge(tx, deps, request, deciding);
    else if (isFile(request)) await decideImport(tx, deps, request, deciding);
    else throw new Problem("not_found");
  });
}

function isFile(request: ApprovalRequest): request is ImportRequest {
  return request.kind === "import" || request.kind === "import_undo";
}

async function decideAdjustment(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config" | "secretBox">,
  request: AdjustmentRequest,
  { decision, staff, note }: Deciding,
): Promise<void> {
  const { uid } = request;
  const { customer, allotmentUid } = await carryOut(tx, deps, request, decision);
  const at = deps.clock.now();
  await writeDecision(tx, uid, { decision, by: staff.uid, name: staff.name, at, note, allotmentUid });
  await recordAction(tx, deps, {
    action: `points.adjustment_${decision}`,
    subject: { kind: "customer", id: customer.storefrontId },
    after: { request: uid, requested_by: request.requestedName, point_value: request.pointValue },
  });
}

async function carryOut(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config" | "secretBox">,
  request: AdjustmentRequest,
  decision: Decision,
) {
  const holders = await readHolders(tx, [request]);
  const ref = holders.get(request.customerUid) ?? refOf(request.customerUid);
  const customer = await selectCustomer(tx, ref);
  if (customer === undefined) throw new Error(`request ${request.uid} is about nobody`);
  if (decision !== "approved") return { customer, allotmentUid: null };
  if (customer.deletedAt !== null) throw new Problem("customer_not_found");
  if (request.kind === "set" && (await isOtherBalance(tx, request, customer))) throw new Problem("request_changed");
  const undoable = request.undoes === null ? null : (await readUndoable(tx, request.undoes, deps.clock.now())).undoable;
  const adjustment = requestedAdjustment(request, customer, undoable);
  const posted = await postAdjustment(tx, deps, adjustment, { kind: "approved", points: request.pointValue });
  if (posted.kind !== "posted") throw new Problem("request_changed");
  if (posted.isRepeated) throw new Problem("request_decided");
  return { customer, allotmentUid: posted.allotmentUid };
}

/** Whether the balance to set is no longer the requested one: since a merge it is another customer's, or holds another one's points too. */
async function isOtherBalance(tx: Tx, request: AdjustmentRequest, customer: CustomerRef): Promise<boolean> {
  if (customer.customerUid !== request.customerUid) return true;
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  const locked = await lockLiveBalances(tx, [customer]);
  return (await selectJoinedSince(tx, locked, request.requestedAt)).size > 0;
}
