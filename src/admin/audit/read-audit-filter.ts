import type { Queryable } from "../../db/pool.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { readProgram } from "../../program/read-program.ts";
import { FROM_TO, readAfter, readRange, timeNumberCursor } from "../list.ts";
import type { AuditFilter, AuditPosition } from "./queries.ts";
import type { AuditQuery } from "./schema.ts";

/** What a query asks of the audit log. */
interface AskedEntries {
  readonly filter: AuditFilter;
  /** Where the page begins; null: it is the first one. */
  readonly position: AuditPosition | null;
}

const RANGE = { ...FROM_TO, detail: "expected an ISO 8601 time" };

/** Returns what a query asks of the audit log. Times without a zone are the store's. Throws `invalid` with every fault. */
export async function readAuditFilter(db: Queryable, query: AuditQuery): Promise<AskedEntries> {
  const { timeZone } = (await readProgram(db)).store;
  const { from, to, ...range } = readRange(query, timeZone, RANGE);
  const { position, ...after } = readAfter(query.after, timeNumberCursor, "expected the `next` of a page");
  withoutFaults({ faults: [...range.faults, ...after.faults] });
  const filter = {
    actor: query.actor ?? null,
    action: query.action ?? null,
    subjectKind: query.subject_kind ?? null,
    subjectId: query.subject_id ?? null,
    from,
    to,
  };
  return { filter, position };
}
