import type { ReadDeps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { FROM_TO, PAGE_ROWS, pageOf, readAfter, readRange, timeNumberCursor } from "../list.ts";
import { readBounded } from "../read-bounded.ts";
import { selectAuditEntries } from "./queries.ts";
import type { AuditEntry, AuditQuery } from "./schema.ts";
import { auditEntryView } from "./view.ts";

const RANGE = { ...FROM_TO, detail: "expected an ISO 8601 time" };

/**
 * Returns a page of the audit log, newest first. Times without a zone are the store's. Each filter has an index; several together may find few among
 * very many, which ends after 3 seconds with the database's 57014 (503). Throws `invalid` with every fault.
 */
export async function listAuditEntries(
  deps: Pick<ReadDeps, "db">,
  query: AuditQuery,
  pageRows: number = PAGE_ROWS,
): Promise<{ data: AuditEntry[]; next: string | null }> {
  const { timeZone } = (await readProgram(deps.db)).store;
  const { from, to, ...range } = readRange(query, timeZone, RANGE);
  const after = readAfter(query.after, timeNumberCursor, "expected the `next` of a page");
  const faults = [...range.faults, ...after.faults];
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const filter = {
    actor: query.actor ?? null,
    action: query.action ?? null,
    subjectKind: query.subject_kind ?? null,
    subjectId: query.subject_id ?? null,
    from,
    to,
    after: after.position,
  };
  const found = await readBounded(deps, (tx) => selectAuditEntries(tx, filter, pageRows + 1));
  const { rows, next } = pageOf(found, timeNumberCursor.format, pageRows);
  return { data: rows.map(auditEntryView), next };
}
