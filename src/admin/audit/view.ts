import { formatInstant } from "../../time/store-time.ts";
import type { AuditRow } from "./queries.ts";
import type { AuditEntry } from "./schema.ts";

export function auditEntryView(row: AuditRow): AuditEntry {
  return {
    id: row.id.toString(),
    at: formatInstant(row.at),
    recorded_at: formatInstant(row.recordedAt),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    address: row.address,
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId, name: row.subjectName },
    before: row.before,
    after: row.after,
  };
}
