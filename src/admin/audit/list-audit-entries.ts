import type { ReadDeps } from "../../deps.ts";
import { PAGE_ROWS, pageOf, timeNumberCursor } from "../list.ts";
import { readBounded } from "../read-bounded.ts";
import { selectAuditEntries } from "./queries.ts";
import { readAuditFilter } from "./read-audit-filter.ts";
import type { AuditEntry, AuditQuery } from "./schema.ts";
import { auditEntryView } from "./view.ts";

/**
 * Returns a page of the audit log, newest first. Each filter has an index; several together may find few among very many, which ends after 3 seconds
 * with the database's 57014 (503). Throws `invalid` with every fault.
 */
export async function listAuditEntries(
  deps: Pick<ReadDeps, "db">,
  query: AuditQuery,
  pageRows: number = PAGE_ROWS,
): Promise<{ data: AuditEntry[]; next: string | null }> {
  const { filter, position } = await readAuditFilter(deps.db, query);
  const page = { after: position, rows: pageRows + 1 };
  const found = await readBounded(deps, (tx) => selectAuditEntries(tx, filter, page));
  const { rows, next } = pageOf(found, timeNumberCursor.format, pageRows);
  return { data: rows.map(auditEntryView), next };
}
