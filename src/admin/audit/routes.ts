import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { Problem } from "../../problems.ts";
import { countListed } from "../count-listed.ts";
import { listCountAnswer } from "../list-count-schema.ts";
import { listAuditEntries } from "./list-audit-entries.ts";
import { countFilteredEntries, selectActions, selectActors, selectAuditEntry } from "./queries.ts";
import { readAuditFilter } from "./read-audit-filter.ts";
import { auditAnswer, auditChoicesAnswer, auditEntryAnswer, auditFilters, auditParams, auditQuery } from "./schema.ts";
import { auditEntryView } from "./view.ts";

const config = { permission: "audit.view" } as const;

/** `/audit`: who changed what, when and from where. */
export function auditAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/audit",
    { config, schema: { hide: true, querystring: auditQuery, response: { 200: auditAnswer } } },
    (request, reply) => runRead(deps, [request, reply], (from) => listAuditEntries(from, request.query)),
  );
  app.get(
    "/audit/count",
    { config, schema: { hide: true, querystring: auditFilters, response: { 200: listCountAnswer } } },
    (request, reply) =>
      countListed(deps, [request, reply], async (tx) => {
        const { filter } = await readAuditFilter(tx, request.query);
        return countFilteredEntries(tx, filter);
      }),
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
