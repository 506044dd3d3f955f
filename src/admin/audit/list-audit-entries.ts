import type { Deps } from "../../deps.ts";
import { type Fault, Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { parseInstant } from "../../time/store-time.ts";
import { formatCursor, parseCursor } from "./cursor.ts";
import { type AuditRow, selectAuditEntries } from "./queries.ts";

const PAGE = 50;

export interface AuditWish {
  readonly actor?: string;
  readonly action?: string;
  readonly subject_kind?: string;
  readonly subject_id?: string;
  readonly from?: string;
  readonly to?: string;
  readonly after?: string;
}

/** A page of the audit log, newest first, and where the next begins. Times without a zone are the store's. 422 for one that is none. */
export async function listAuditEntries(
  deps: Pick<Deps, "db">,
  wish: AuditWish,
): Promise<{ rows: AuditRow[]; next: string | null }> {
  const { timeZone } = (await readProgram(deps.db)).store;
  const from = wish.from === undefined ? null : parseInstant(wish.from, { timeZone, edge: "start" });
  const to = wish.to === undefined ? null : parseInstant(wish.to, { timeZone, edge: "end" });
  const after = wish.after === undefined ? null : parseCursor(wish.after);
  const faults: Fault[] = [];
  if (wish.from !== undefined && from === null) faults.push({ parameter: "from", detail: "expected an ISO 8601 time" });
  if (wish.to !== undefined && to === null) faults.push({ parameter: "to", detail: "expected an ISO 8601 time" });
  if (wish.after !== undefined && after === null) {
    faults.push({ parameter: "after", detail: "expected the `next` of a page" });
  }
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const filter = {
    actor: wish.actor ?? null,
    action: wish.action ?? null,
    subjectKind: wish.subject_kind ?? null,
    subjectId: wish.subject_id ?? null,
    from,
    to,
    after,
  };
  const found = await selectAuditEntries(deps.db, filter, PAGE + 1);
  const rows = found.slice(0, PAGE);
  const last = rows.at(-1);
  return { rows, next: found.length > PAGE && last !== undefined ? formatCursor(last) : null };
}
