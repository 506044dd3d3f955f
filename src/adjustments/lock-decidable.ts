import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { checkSecondPerson } from "../staff/check-second-person.ts";
import { checkStillMay } from "../staff/check-still-may.ts";
import type { Permission } from "../staff/permissions.ts";
import { type ApprovalRequest, type Decision, decisionRefusal, isAdjustment } from "./adjustment-request.ts";
import { lockRequest } from "./request-queries.ts";

/** Who decides, and their note. */
export interface Deciding {
  readonly decision: Decision;
  readonly staff: { readonly uid: string; readonly name: string };
  readonly mayApprove: boolean;
  readonly note: string | null;
}

/**
 * Locks a request of any kind that the person may decide, until the transaction ends. No other place decides who may. Returns null if the same person
 * has already decided it in the same way. Throws `not_found`; `forbidden` if it is the person's own (or, to withdraw, is not) or the role may not;
 * `same_person` of `checkSecondPerson`; `requester_gone` if the requester no longer has the permission; `request_decided`, `request_expired`.
 */
export async function lockDecidable(
  tx: Tx,
  deps: Pick<Deps, "clock" | "config">,
  uid: string,
  deciding: Deciding,
): Promise<ApprovalRequest | null> {
  const request = await lockRequest(tx, uid);
  if (request === undefined) throw new Problem("not_found");
  const { decision, staff, mayApprove } = deciding;
  if (request.state === decision && request.decidedBy === staff.uid) return null;
  const refusal = decisionRefusal(request, decision, { uid: staff.uid, mayApprove }, deps.clock.now());
  if (refusal !== null) throw new Problem(refusal);
  if (decision === "approved") {
    await checkSecondPerson(tx, deps, { requestedBy: request.requestedBy, decidedBy: staff.uid });
    const { requestedBy: staffUid } = request;
    for (const permission of neededFor(request)) await checkStillMay(tx, deps, { staffUid, permission });
  }
  return request;
}

/** The permissions that the requester must still have, since it is done in their name. */
function neededFor(request: ApprovalRequest): readonly Permission[] {
  if (isAdjustment(request)) return ["points.adjust"];
  if (request.kind === "merge") return ["customers.manage"];
  if (request.kind !== "program") return ["imports.run"];
  const isOfLimits = request.raises.some((pointer) => pointer.startsWith("/staff/"));
  return isOfLimits ? ["program.change", "limit.change"] : ["program.change"];
}
