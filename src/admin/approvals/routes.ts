import type { FastifyRequest } from "fastify";
import type { Decision } from "../../adjustments/adjustment-request.ts";
import { decideRequest } from "../../adjustments/decide-request.ts";
import { countWaiting, selectListedRequest } from "../../adjustments/request-queries.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { can } from "../../staff/permissions.ts";
import { readOtherApprovers } from "../../staff/read-other-approvers.ts";
import { programPreviewView } from "../program/view.ts";
import { listRequests } from "./list-requests.ts";
import { previewRequested } from "./preview-requested.ts";
import {
  decisionBody,
  requestAnswer,
  requestedProgramAnswer,
  requestParams,
  requestsAnswer,
  requestsQuery,
  waitingAnswer,
} from "./schema.ts";
import { requestView } from "./view.ts";

const config = { permission: "view" } as const;

/** `/approvals`: requests that exceed a person's allowance or pay more, and their decision by a second person. */
export function approvalsAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/approvals",
    { config, schema: { hide: true, querystring: requestsQuery, response: { 200: requestsAnswer } } },
    async (request) => {
      const { rows, next } = await listRequests(deps, request.query);
      return { data: rows.map((row) => requestView(row, request.staff.uid, deps.clock.now())), next };
    },
  );
  app.get(
    "/approvals/waiting",
    { config, schema: { hide: true, response: { 200: waitingAnswer } } },
    async ({ staff }) => {
      const now = deps.clock.now();
      const [waiting, others] = await Promise.all([
        countWaiting(deps.db, now),
        readOtherApprovers(deps.db, deps, staff.uid),
      ]);
      return { data: { waiting, other_approvers: others.present } };
    },
  );
  app.get(
    "/approvals/:uid",
    { config, schema: { hide: true, params: requestParams, response: { 200: requestAnswer } } },
    async ({ params, staff }) => {
      const found = await selectListedRequest(deps.db, params.uid);
      if (found === undefined) throw new Problem("not_found");
      return { data: requestView(found, staff.uid, deps.clock.now()) };
    },
  );
  app.get(
    "/approvals/:uid/program",
    {
      config: { permission: "program.change" },
      schema: { hide: true, params: requestParams, response: { 200: requestedProgramAnswer } },
    },
    async ({ params, staff }) => {
      const { request, before, preview } = await previewRequested(deps, params.uid);
      const shown = requestView(request, staff.uid, deps.clock.now());
      return { data: { request: shown, before, preview: programPreviewView(preview) } };
    },
  );
  decisionRoute(app, deps, { path: "approve", decision: "approved", permission: "adjustments.approve" });
  decisionRoute(app, deps, { path: "refuse", decision: "refused", permission: "adjustments.approve" });
  decisionRoute(app, deps, { path: "withdraw", decision: "withdrawn", permission: "points.adjust" });
}

interface DecisionRoute {
  readonly path: string;
  readonly decision: Decision;
  readonly permission: "adjustments.approve" | "points.adjust";
}

function decisionRoute(app: App, deps: Deps, { path, decision, permission }: DecisionRoute): void {
  const schema = { hide: true, params: requestParams, body: decisionBody, response: { 200: requestAnswer } };
  app.post(
    `/approvals/:uid/${path}`,
    { config: { permission, stepUp: decision === "approved" }, schema },
    async (request) => {
      const { uid } = request.params;
      await decideRequest(deps, uid, decidingOf(request, decision, request.body.note));
      const decided = await selectListedRequest(deps.db, uid);
      if (decided === undefined) throw new Problem("not_found");
      return { data: requestView(decided, request.staff.uid, deps.clock.now()) };
    },
  );
}

function decidingOf({ staff }: Pick<FastifyRequest, "staff">, decision: Decision, note: string | null | undefined) {
  return { decision, staff, mayApprove: can(staff.role, "adjustments.approve"), note: note ?? null };
}
