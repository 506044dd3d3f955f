import {
  type AdjustmentRequest,
  type ApprovalRequest,
  isAdjustment,
  type MergeRequest,
  requestStateAt,
} from "../../adjustments/adjustment-request.ts";
import type { ListedRequest } from "../../adjustments/request-queries.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { RequestRow } from "./schema.ts";

/** A request as a person sees it at a given moment. */
export function requestView(request: ListedRequest, staffUid: string, now: Temporal.Instant): RequestRow {
  const { storefrontId, name, email } = request;
  return {
    uid: request.uid,
    customer: storefrontId === null ? null : { id: storefrontId, name, email },
    kind: request.kind,
    ...movedView(request),
    file: fileView(request),
    program: programView(request),
    merge: request.kind === "merge" ? { removed_id: request.removedId } : null,
    requested_name: request.requestedName,
    requested_email: request.requestedEmail,
    requested_at: formatInstant(request.requestedAt),
    expires_at: formatInstant(request.expiresAt),
    is_requester_disabled: request.isRequesterDisabled,
    is_own: request.requestedBy === staffUid,
    state: requestStateAt(request, now),
    decided_name: request.decidedName,
    decided_at: request.decidedAt === null ? null : formatInstant(request.decidedAt),
    decision_note: request.decisionNote,
  };
}

const NO_ADJUSTMENT = {
  point_value: 0,
  excess: null,
  earlier_points: 0,
  earlier_of_day: 0,
  balance: null,
  reason_type: null,
  note: null,
  extends_expiration: false,
} as const;

function movedView(request: ApprovalRequest) {
  if (isAdjustment(request)) return adjustmentView(request);
  return request.kind === "merge" ? { ...NO_ADJUSTMENT, ...countedView(request) } : NO_ADJUSTMENT;
}

function countedView(request: AdjustmentRequest | MergeRequest) {
  return {
    point_value: Number(request.pointValue),
    excess: request.excess ?? "customer",
    earlier_points: Number(request.earlierPoints),
    earlier_of_day: Number(request.earlierOfDay),
  };
}

function adjustmentView(request: AdjustmentRequest) {
  return {
    ...countedView(request),
    balance: request.balance === null ? null : Number(request.balance),
    reason_type: request.reasonType,
    note: request.note,
    extends_expiration: request.extends,
  };
}

function fileView(request: ApprovalRequest): RequestRow["file"] {
  if (request.kind !== "import" && request.kind !== "import_undo") return null;
  const { importUid, excess, earlierOfDay, file } = request;
  return {
    import_uid: importUid,
    file_name: file.fileName,
    rows: file.rows,
    customers: file.customers,
    points_added: Number(file.given),
    points_taken: Number(file.taken),
    largest_points: Number(file.largest),
    excess,
    earlier_of_day: Number(earlierOfDay),
  };
}

function programView(request: ApprovalRequest): RequestRow["program"] {
  if (request.kind !== "program") return null;
  const { baseVersion, isNow, raises, programVersion } = request;
  return { base_version: baseVersion, apply_now: isNow, raises: [...raises], version: programVersion };
}
