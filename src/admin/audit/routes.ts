import type { Deps, ReadDeps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { FROM_TO, pageOf, READ_ROWS, type RowsPage, readAfter, readRange, timeNumberCursor } from "../list.ts";
import { type AuditRow, selectActions, selectActors, selectAuditEntries, selectAuditEntry } from "./queries.ts";
import {
  type AuditQuery,
  auditAnswer,
  auditChoicesAnswer,
  auditEntryAnswer,
  auditParams,
  auditQuery,
} from "./schema.ts";
import { auditEntryView } from "./view.ts";

const config = { permission: "audit.view" } as const;

const RANGE = { ...FROM_TO, detail: "expected an ISO 8601 time" };

/** `/audit`: who changed what, when and from where. */
export function auditAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/audit",
    { config, schema: { hide: true, querystring: auditQuery, response: { 200: auditAnswer } } },
    async (request, reply) => {
      const { rows, next } = await runRead(deps, [request, reply], (from) => listAuditEntries(from, request.query));
      return { data: rows.map(auditEntryView), next };
    },
  );

  app.get("/audit/choices", { config, schema: { hide: true, response: { 200: auditChoicesAnswer } } }, async () => {
    const [actions, actors] = await Promise.all([selectActions(deps.db), selectActors(deps.db)]);
    return { data: { actions, actors } };
  });

  app.get(
    "/audit/:id",
    { config, schema: { hide: true, params: auditParams, response: { 200: auditEntryAnswer } } },
    async (request) => {
      const row = await selectAuditEntry(deps.db, BigInt(request.params.id));
      if (row === undefined) throw new Problem("not_found");
      return { data: auditEntryView(row) };
    },
  );
}

/** A page of the audit log, newest first. Times without a zone are the store's. Throws `invalid` with every fault. */
async function listAuditEntries(deps: Pick<ReadDeps, "db">, query: AuditQuery): Promise<RowsPage<AuditRow>> {
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
  return pageOf(await selectAuditEntries(deps.db, filter, READ_ROWS), timeNumberCursor.format);
}
