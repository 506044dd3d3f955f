import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { invalid, Problem } from "../../problems.ts";
import type { ProgramTransition } from "../../shop/apply-program.ts";
import { readProgram } from "../../shop/read-program.ts";
import { parseInstant } from "../../shop/store-time.ts";
import { can, type Role } from "../../staff/permissions.ts";
import { changeProgram } from "../../tiers/change-program.ts";
import { listVersions } from "./list-versions.ts";
import { previewProgram } from "./preview-program.ts";
import { readProgramState } from "./read-program-state.ts";
import { readTierMembers } from "./read-tier-members.ts";
import {
  changeBody,
  changedAnswer,
  previewAnswer,
  programAnswer,
  tierMembersAnswer,
  versionAnswer,
  versionParams,
  versionsAnswer,
  versionsQuery,
} from "./schema.ts";
import { changedView, previewView, programView, versionView } from "./view.ts";

const VERSIONS_PER_PAGE = 20;
/** How long an answer waits for customers to be moved. */
const MOVING_MS = 3_000;

/** The program: read, changed after a look at the effect, and its versions (program.md 6 and 9). */
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
  versionRoutes(app, deps);
}

function changeRoutes(app: App, deps: Deps): void {
  const config = { permission: "program.change" } as const;
  app.post(
    "/program/preview",
    { config, schema: { hide: true, body: changeBody, response: { 200: previewAnswer } } },
    async ({ body, staff }) => {
      const { document, base_version: baseVersion } = body;
      const validFrom = await readStart(deps, body.valid_from);
      const asked = { document, baseVersion, validFrom, isNow: body.apply_now ?? false };
      const input = { ...asked, guard: (change: ProgramTransition) => checkLimit(change, staff.role) };
      return { data: previewView(await previewProgram(deps, input)) };
    },
  );
  app.post(
    "/program",
    { config, schema: { hide: true, body: changeBody, response: { 200: changedAnswer } } },
    async ({ body, staff }) => {
      const changed = await changeProgram(deps, {
        document: body.document,
        baseVersion: body.base_version,
        validFrom: await readStart(deps, body.valid_from),
        author: staff.name,
        guard: (change) => checkLimit(change, staff.role),
        isDryRun: false,
        isNow: body.apply_now ?? false,
        signal: AbortSignal.timeout(MOVING_MS),
      });
      return { data: changedView(changed) };
    },
  );
}

/** A date is that day's start in the store's zone; null: from now on. */
async function readStart({ db }: Deps, text: string | null | undefined): Promise<Temporal.Instant | null> {
  if (text === null || text === undefined) return null;
  const { store } = await readProgram(db);
  const instant = parseInstant(text, { timeZone: store.timeZone, edge: "start" });
  if (instant === null) throw invalid("/valid_from", "expected an ISO 8601 date or date-time");
  return instant;
}

/** Whoever approves adjustments does not move the limit that makes them wait. */
function checkLimit({ before, after }: ProgramTransition, role: Role): void {
  if (before.staff.approvalLimit === after.staff.approvalLimit || can(role, "limit.change")) return;
  const detail = "expected the present limit: only an owner changes it";
  throw new Problem("forbidden", { faults: [{ pointer: "/staff/approval_limit", detail }] });
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
