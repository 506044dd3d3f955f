import type { AuditEntry } from "../../../src/admin/audit/schema.ts";

/** Saved views name some lists otherwise than the lists' files. */
const FILES: Readonly<Record<string, string>> = { receipts: "intake-receipts", deliveries: "webhooks-deliveries" };

/** Returns the list whose filters or states an entry records: of its file, of a saved view, of a segment, of a receipt; null: it is about something else. */
export function listOf({
  subject: { kind, id },
  before,
  after,
}: Pick<AuditEntry, "subject" | "before" | "after">): string | null {
  if (kind === "list") return id;
  if (kind === "ledger") return "ledger";
  if (kind === "segment") return "segments";
  if (kind === "receipt") return "intake-receipts";
  if (kind !== "saved_view") return null;
  const { list } = { ...before, ...after };
  return typeof list === "string" ? (FILES[list] ?? list) : null;
}
