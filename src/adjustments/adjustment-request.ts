import type { Excess } from "../allowance/allowance.ts";
import { type Codec, integerCodec, record, textCodec } from "../db/json-codec.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Origin, ReasonType } from "../wire/allotment-choices.ts";
import type { Adjustment, Undoable } from "./adjustment.ts";

/** The common fields of all requests that wait for a second person. */
export interface RequestBase {
  readonly uid: string;
  readonly requestedBy: string;
  readonly requestedName: string;
  readonly requestedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly state: "waiting" | "approved" | "refused" | "withdrawn";
  readonly decidedBy: string | null;
  readonly decidedName: string | null;
  readonly decidedAt: Temporal.Instant | null;
  readonly decisionNote: string | null;
}

/** An adjustment above its person's allowance, until a second person has decided it. */
export interface AdjustmentRequest extends RequestBase, CustomerRef {
  readonly kind: "add" | "set" | "undo";
  /** The points that it would have moved when it was requested. */
  readonly pointValue: bigint;
  /** The limit that it exceeds; null: stored before there were two limits. */
  readonly excess: Excess | null;
  /** The points that the requester had moved for the customer in the same direction within 24 hours, which count with it; 0 or more. */
  readonly earlierPoints: bigint;
  /** The same for all customers. */
  readonly earlierOfDay: bigint;
  /** For `set`. */
  readonly balance: bigint | null;
  /** The allotment, for `undo`. */
  readonly undoes: string | null;
  readonly extends: boolean;
  readonly origin: Origin | null;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  /** The allotment that the approval posted. */
  readonly allotmentUid: string | null;
}

/**
 * The movements of a file when its start or its undoing was requested; they stay unchanged until it is decided. Points are texts, since the sums of a
 * file may exceed a JSON number.
 */
export interface RequestedFile {
  readonly fileName: string;
  readonly rows: number;
  readonly customers: number;
  readonly given: string;
  readonly taken: string;
  /** The most for one customer, including what the requester had moved for that customer before. */
  readonly largest: string;
}

/** `adjustment_request.file`. A new field needs `withDefault`: waiting requests lack it. */
export const requestedFileCodec: Codec<RequestedFile> = record<RequestedFile>({
  fileName: textCodec,
  rows: integerCodec,
  customers: integerCodec,
  given: textCodec,
  taken: textCodec,
  largest: textCodec,
});

/** The start of an import of points above its person's allowance, or its undoing. */
export interface ImportRequest extends RequestBase {
  readonly kind: "import" | "import_undo";
  readonly importUid: string;
  readonly excess: Excess;
  readonly earlierOfDay: bigint;
  readonly file: RequestedFile;
}

/** A change of the program that pays more, or lets one person move more points. */
export interface ProgramRequest extends RequestBase {
  readonly kind: "program";
  /** The version on which it is based. */
  readonly baseVersion: number;
  /** Whether new tier rules place customers at once. */
  readonly isNow: boolean;
  /** From when it applies to orders; null: from its approval on. */
  readonly validFrom: Temporal.Instant | null;
  /** Pointers of the fields that pay more. */
  readonly raises: readonly string[];
  /** The version that the approval created. */
  readonly programVersion: number | null;
}

/** A merge of two customers with more points than its person may move alone; its customer is the survivor. */
export interface MergeRequest extends RequestBase, CustomerRef {
  readonly kind: "merge";
  /** The larger of the two balances when it was requested. Older versions stored the removed customer's balance, also where it was smaller. */
  readonly pointValue: bigint;
  readonly excess: Excess;
  readonly earlierPoints: bigint;
  readonly earlierOfDay: bigint;
  readonly removedUid: string;
  readonly removedId: string;
}

export type ApprovalRequest = AdjustmentRequest | ImportRequest | ProgramRequest | MergeRequest;

/** How long a request can be approved. */
export const REQUEST_DAYS = 30;

export type RequestState = RequestBase["state"] | "expired";

/** The state of a request at a moment: one that was not decided in time is expired, without a write. */
export function requestStateAt(request: Pick<RequestBase, "state" | "expiresAt">, now: Temporal.Instant): RequestState {
  const isOver = Temporal.Instant.compare(request.expiresAt, now) <= 0;
  return request.state === "waiting" && isOver ? "expired" : request.state;
}

/** The person who decides a request. */
export interface Decider {
  readonly uid: string;
  readonly mayApprove: boolean;
}

export type Decision = "approved" | "refused" | "withdrawn";

/** Returns why a person cannot decide a request in this way; null: they can. Nobody approves their own request. */
export function decisionRefusal(
  request: Pick<RequestBase, "requestedBy" | "state" | "expiresAt">,
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

/** Returns the requested adjustment, for the customer who has the points now; `undoable` belongs to an undo. */
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

export function isAdjustment(request: ApprovalRequest): request is AdjustmentRequest {
  return request.kind === "add" || request.kind === "set" || request.kind === "undo";
}

/** Creates an undecided request. */
export function newRequest(asked: {
  readonly uid: string;
  readonly by: { readonly uid: string; readonly name: string };
  readonly at: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
}): RequestBase {
  return {
    uid: asked.uid,
    requestedBy: asked.by.uid,
    requestedName: asked.by.name,
    requestedAt: asked.at,
    expiresAt: asked.expiresAt,
    state: "waiting",
    decidedBy: null,
    decidedName: null,
    decidedAt: null,
    decisionNote: null,
  };
}
