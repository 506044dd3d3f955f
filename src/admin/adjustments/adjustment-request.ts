import type { Origin, ReasonType } from "../../ledger/allotment-types.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { Adjustment, Undoable } from "./adjustment.ts";

/** An adjustment above the program's limit, until a second person has decided it. */
export interface AdjustmentRequest extends CustomerRef {
  readonly uid: string;
  readonly kind: "add" | "set" | "undo";
  /** What it came to when it was asked for. */
  readonly pointValue: bigint;
  /** What whoever asked had moved the same way within 24 hours, which counted with it; 0 or more. */
  readonly earlierPoints: bigint;
  /** Of `set`. */
  readonly balance: bigint | null;
  /** Of `undo`: the allotment. */
  readonly undoes: string | null;
  readonly extends: boolean;
  readonly origin: Origin | null;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  readonly requestedBy: string;
  readonly requestedName: string;
  readonly requestedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly state: "waiting" | "approved" | "refused" | "withdrawn";
  readonly decidedBy: string | null;
  readonly decidedName: string | null;
  readonly decidedAt: Temporal.Instant | null;
  readonly decisionNote: string | null;
  /** What the approval posted. */
  readonly allotmentUid: string | null;
}

/** So long somebody can approve it. */
export const REQUEST_DAYS = 30;

export type RequestState = AdjustmentRequest["state"] | "expired";

/** What a request is at a moment: one that nobody decided in time is expired, and nothing has to be written for it. */
export function requestStateAt(request: AdjustmentRequest, now: Temporal.Instant): RequestState {
  const isOver = Temporal.Instant.compare(request.expiresAt, now) <= 0;
  return request.state === "waiting" && isOver ? "expired" : request.state;
}

/** Who may do what to a request. */
export interface Decider {
  readonly uid: string;
  readonly mayApprove: boolean;
}

export type Decision = "approved" | "refused" | "withdrawn";

/** Why a person cannot decide a request so; null: they can. Nobody approves what they asked for themselves. */
export function decisionRefusal(
  request: AdjustmentRequest,
  decision: Decision,
  { uid, mayApprove }: Decider,
  now: Temporal.Instant,
): "forbidden" | "request_decided" | "request_expired" | null {
  const isOwn = request.requestedBy === uid;
  if (decision === "withdrawn" ? !isOwn : isOwn || !mayApprove) return "forbidden";
  const state = requestStateAt(request, now);
  if (state === "waiting") return null;
  return state === "expired" ? "request_expired" : "request_decided";
}

/** The adjustment that a request asks for, for whoever has the customer's points now; `undoable` is that of an undo. */
export function requestedAdjustment(
  request: AdjustmentRequest,
  customer: CustomerRef,
  undoable: Undoable | null,
): Adjustment {
  const { uid, extends: isExtending, origin, reasonType, note, requestedName } = request;
  const asked = { uid, customer, extends: isExtending, origin, reasonType, note, actor: requestedName };
  if (undoable !== null) return { ...asked, change: { kind: "undo", of: undoable } };
  if (request.balance !== null) return { ...asked, change: { kind: "set", balance: request.balance } };
  return { ...asked, change: { kind: "add", pointValue: request.pointValue } };
}
