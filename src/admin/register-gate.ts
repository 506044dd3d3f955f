import type { FastifyReply, FastifyRequest } from "fastify";
import { runAs } from "../actor.ts";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { Problem } from "../problems.ts";
import { findSession } from "../staff/find-session.ts";
import { can, type Permission } from "../staff/permissions.ts";
import { lacksSecondFactor, type SignedIn } from "../staff/session.ts";
import { checkConfirmed } from "./check-confirmed.ts";
import { changedCookie, cookieScope, hasChanged, isPoll, sessionTokenOf } from "./cookie.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a signed-in person must be permitted to use the route: routes under `/admin/api`. */
    permission?: Permission;
    /** Whether the person must have given a password or code within the last minutes; absent: what `needsConfirmation` says. */
    stepUp?: boolean;
    /** What the route answers before: somebody whose password was made chooses one, then somebody who must have one turns a second factor on. */
    before?: "password" | "totp";
  }
  interface FastifyRequest {
    /** Who is signed in. Not there on an open route. */
    staff: SignedIn;
  }
}

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** What tells where a request comes from. */
interface RequestSource {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Guards the routes registered on `app`: 403 for a change that another site's page may have sent, 401 without a session, 403
 * where the person's role lacks the route's permission, where a made password was not replaced or a second factor that the role must have not
 * turned on yet, or where what matters most was not
 * confirmed within the last minutes. Handlers run in the person's name.
 */
export function registerGate(deps: Pick<Deps, "db" | "reads" | "clock" | "config">, app: App): void {
  app.decorateRequest("staff");
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    const fault = crossSiteFault(request, deps.config.publicUrl);
    if (fault !== null) throw new Problem("forbidden", { faults: [{ detail: fault }] });
    if (hasChanged(request.headers.cookie)) request.mustSeeChanges = true;
    const { permission } = request.routeOptions.config;
    if (permission !== undefined) await admit(deps, request, permission);
  });
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.staff === undefined) return done();
    const { uid, name } = request.staff;
    runAs({ kind: "staff", id: uid, name, address: request.ip }, done, deps.clock.now());
  });
  app.addHook("onSend", async (request, reply: FastifyReply) => {
    if (request.staff !== undefined && !isRead(request.method)) tellChanged(deps, request, reply);
    reply.removeHeader("www-authenticate"); // a browser would ask for a credential in a window of its own
  });
}

/** Whoever changed something sees it in every list at once: until each replica that is used has it, their pages are read from the primary. */
function tellChanged(
  { reads, config }: Pick<Deps, "reads" | "config">,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (reads.replica() === null) return;
  const maxAgeS = Math.ceil(config.replicaAgeMaxMs / 1_000) + 1;
  reply.header("set-cookie", changedCookie(maxAgeS, cookieScope(request, config.publicUrl)));
}

async function admit(
  deps: Pick<Deps, "db" | "clock" | "config">,
  request: FastifyRequest,
  permission: Permission,
): Promise<void> {
  const token = sessionTokenOf(request.headers.cookie);
  const staff = token === null ? null : await findSession(deps, token, { isPoll: isPoll(request) });
  if (staff === null) throw new Problem("unauthorized");
  if (!can(staff.role, permission)) {
    throw new Problem("forbidden", {
      faults: [{ detail: `the role ${staff.role} lacks the permission ${permission}` }],
    });
  }
  const { before } = request.routeOptions.config;
  if (staff.hasMadePassword && before !== "password") throw new Problem("password_choice_needed");
  if (lacksSecondFactor(deps.config, staff) && before === undefined) throw new Problem("totp_needed");
  if (needsConfirmation(request)) checkConfirmed(deps, staff);
  request.staff = staff;
}

/** What is done with these opens the store to others: it is confirmed by a password or code. */
const STEP_UP_PERMISSIONS: readonly Permission[] = ["credentials.manage", "people.manage", "alerts.manage"];

function needsConfirmation({ method, routeOptions }: FastifyRequest): boolean {
  const { permission, stepUp } = routeOptions.config;
  if (stepUp !== undefined) return stepUp;
  return permission !== undefined && STEP_UP_PERMISSIONS.includes(permission) && !isRead(method);
}

/** Whether a method changes nothing. */
function isRead(method: string): boolean {
  return READS.has(method);
}

/**
 * Why a request may come from another site's page, or null: it only reads, or it carries the dashboard's header, which no form
 * can send and no other site's script may, and the browser names no other site.
 */
function crossSiteFault({ method, headers }: RequestSource, publicUrl: string): string | null {
  if (isRead(method)) return null;
  if (headers["x-pointkeeper-request"] !== "dashboard") {
    return "expected the header x-pointkeeper-request: dashboard";
  }
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return "the request comes from another site";
  const { origin, host } = headers;
  if (origin === undefined) return null;
  if (typeof origin !== "string" || !URL.canParse(origin)) return "the request comes from another site";
  const isOwn = new URL(origin).host === host || origin === new URL(publicUrl).origin;
  return isOwn ? null : "the request comes from another site";
}
