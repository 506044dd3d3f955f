import { formatInstant } from "../../shop/store-time.ts";
import { requestStateAt } from "../adjustments/adjustment-request.ts";
import type { ListedRequest } from "../adjustments/request-queries.ts";
import type { RequestRow } from "./schema.ts";

/** A request as somebody sees it at a moment. */
export function requestView(request: ListedRequest, staffUid: string, now: Temporal.Instant): RequestRow {
  return {
    uid: request.uid,
    customer: { id: request.storefrontId, name: request.name, email: request.email },
    kind: request.kind,
    point_value: Number(request.pointValue),
    earlier_points: Number(request.earlierPoints),
    balance: request.balance === null ? null : Number(request.balance),
    reason_type: request.reasonType,
    note: request.note,
    extends_expiration: request.extends,
    requested_name: request.requestedName,
    requested_email: request.requestedEmail,
    requested_at: formatInstant(request.requestedAt),
    expires_at: formatInstant(request.expiresAt),
    is_own: request.requestedBy === staffUid,
    state: requestStateAt(request, now),
    decided_name: request.decidedName,
    decided_at: request.decidedAt === null ? null : formatInstant(request.decidedAt),
    decision_note: request.decisionNote,
  };
}
