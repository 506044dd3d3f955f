import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { Problem } from "../../problems.ts";
import { listAuditEntries } from "./list-audit-entries.ts";
import { selectActions, selectActors, selectAuditEntry } from "./queries.ts";
import { auditAnswer, auditChoicesAnswer, auditEntryAnswer, auditParams, auditQuery } from "./schema.ts";
import { auditEntryView } from "./view.ts";

const config = { permission: "audit.view" } as const;

/** `/audit`: who changed what, when and from where. */
export function auditAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/audit",
    { config, schema: { hide: true, querystring: auditQuery, response: { 200: auditAnswer } } },
    (request, reply) => runRead(deps, [request, reply], (from) => listAuditEntries(from, request.query)),
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
