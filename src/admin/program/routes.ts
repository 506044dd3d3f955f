import type { Static } from "typebox";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { invalid, Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { parseInstant } from "../../time/store-time.ts";
import { forecastRoutes } from "./forecast-routes.ts";
import { listVersions } from "./list-versions.ts";
import { makeChange } from "./make-change.ts";
import { previewProgram } from "./preview-program.ts";
import { readProgramState } from "./read-program-state.ts";
import { readTierMembers } from "./read-tier-members.ts";
import {
  changeBody,
  changedAnswer,
  programAnswer,
  programPreviewAnswer,
  tierMembersAnswer,
  versionAnswer,
  versionParams,
  versionsAnswer,
  versionsQuery,
} from "./schema.ts";
import { changedView, programPreviewView, programView, versionView } from "./view.ts";

const VERSIONS_PER_PAGE = 20;

/** Routes of the program: reading it, changing it after a preview, and its versions (program.md 6 and 9). */
export function programAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/program",
    { config: { permission: "view" }, schema: { hide: true, response: { 200: programAnswer } } },
    async () => ({ data: programView(await readProgramState(deps)) }),
  );
  app.get(
    "/program/tier-members",
    { config: { permission: "view" }, schema: { hide: true, response: { 200: tierMembersAnswer } } },
    async () => ({ data: [...(await readTierMembers(deps))].map(([uid, customers]) => ({ uid, customers })) }),
  );
  changeRoutes(app, deps);
  forecastRoutes(app, deps);
  versionRoutes(app, deps);
}

function changeRoutes(app: App, deps: Deps): void {
  const config = { permission: "program.change" } as const;
  app.post(
    "/program/preview",
    { config, schema: { hide: true, body: changeBody, response: { 200: programPreviewAnswer } } },
    async ({ body, staff }) => {
      return { data: programPreviewView(await previewProgram(deps, { ...(await readChange(deps, body)), by: staff })) };
    },
  );
  app.post(
    "/program",
    { config, schema: { hide: true, body: changeBody, response: { 200: changedAnswer } } },
    async ({ body, staff }) => {
      const made = await makeChange(deps, { ...(await readChange(deps, body)), by: staff });
      return { data: changedView(made, body.base_version) };
    },
  );
}

async function readChange(deps: Deps, body: Static<typeof changeBody>) {
  const { document, base_version: baseVersion, apply_now: isNow = false } = body;
  return { document, baseVersion, isNow, validFrom: await readStart(deps, body.valid_from) };
}

/** A date is the start of that day in the store's zone; null: from now on. */
async function readStart({ db }: Deps, text: string | null | undefined): Promise<Temporal.Instant | null> {
  if (text === null || text === undefined) return null;
  const { store } = await readProgram(db);
  const instant = parseInstant(text, { timeZone: store.timeZone, edge: "start" });
  if (instant === null) throw invalid("/valid_from", "expected an ISO 8601 date or date-time");
  return instant;
}

function versionRoutes(app: App, deps: Deps): void {
  const config = { permission: "view" } as const;
  app.get(
    "/program/versions",
    { config, schema: { hide: true, querystring: versionsQuery, response: { 200: versionsAnswer } } },
    async ({ query }) => {
      const found = await listVersions(deps.db, query.after ?? null, VERSIONS_PER_PAGE + 1);
      const next = found[VERSIONS_PER_PAGE];
      return {
        data: found.slice(0, VERSIONS_PER_PAGE).map(versionView),
        next: next === undefined ? null : String(next.version),
      };
    },
  );
  app.get(
    "/program/versions/:version",
    { config, schema: { hide: true, params: versionParams, response: { 200: versionAnswer } } },
    async ({ params }) => {
      const [found] = await listVersions(deps.db, params.version, 1);
      if (found?.version !== params.version) throw new Problem("not_found");
      return { data: versionView(found) };
    },
  );
}
