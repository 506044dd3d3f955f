import type { FastifyReply, FastifyRequest } from "fastify";
import { runAs } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { addressOf } from "../http/address-key.ts";
import type { App } from "../http/app-type.ts";
import { createPersonTurns } from "../http/limits/person-turns.ts";
import { Problem } from "../problems.ts";
import { can, type Permission } from "../staff/permissions.ts";
import { findSession } from "../staff/sessions/find-session.ts";
import { isSealedToken, lacksSecondFactor, type SignedIn } from "../staff/sessions/session.ts";
import { checkConfirmed } from "./check-confirmed.ts";
import { changedCookie, cookieScope, hasChanged, isPoll, sessionTokenOf } from "./cookie.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The permission that a signed-in person needs for the route; on all routes under `/admin/api` except open ones. */
    permission?: Permission;
    /** Whether the person must have entered a password or code within the last minutes; absent: as `needsConfirmation` decides. */
    stepUp?: boolean;
    /** Allows the route before a required step: choosing an own password (`password`), or turning on a required second factor (`totp`). */
    before?: "password" | "totp";
  }
  interface FastifyRequest {
    /** The signed-in person. Absent on an open route. */
    staff: SignedIn;
    /** Ends the person's turn; null on an open route. */
    endTurn: (() => void) | null;
  }
}

/** How long a turn goes on after the client has left, if the work has no answer to send. */
const LEFT_MS = 30_000;

type GateDeps = Pick<Deps, "db" | "clock" | "config" | "secretBox">;

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The parts of a request that show which site it comes from. */
interface RequestSource {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Guards the routes registered on `app`. It responds 403 to a change that another site's page may have sent, and 401 without a session, or 429 if the
 * address had too many of these and the session's token shows no seal: it is not looked up. It responds 403 if the person's role lacks the route's
 * permission, if a generated password was not replaced or a required second factor is not turned on yet, or if a sensitive request was not confirmed
 * within the last minutes. Handlers run in the person's name, at most six requests of one person at once.
 */
export function registerGate(deps: GateDeps & Pick<Deps, "reads">, app: App): void {
  const enterTurn = createPersonTurns();
  app.decorateRequest("staff");
  app.decorateRequest("endTurn", null);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    const fault = crossSiteFault(request, deps.config.publicUrl);
    if (fault !== null) throw new Problem("forbidden", { faults: [{ detail: fault }] });
    if (hasChanged(request.headers.cookie)) request.mustSeeChanges = true;
    const { permission } = request.routeOptions.config;
    if (permission === undefined) return;
    const token = sessionTokenOf(request.headers.cookie);
    if (token !== null && !isSealedToken(deps.secretBox, token)) {
      const refusal = await app.rateLimits.refuseAfterFailures(request, reply);
      if (refusal !== null) throw refusal;
    }
    await admit(deps, request, { token, permission });
    request.endTurn = await enterTurn(request.staff.uid);
    if (request.raw.socket.destroyed) throw new Problem("unavailable"); // nobody waits for it any more
    reply.raw.once("close", () => {
      if (request.endTurn !== null) setTimeout(endTurn, LEFT_MS, request).unref();
    });
  });
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.staff === undefined) return done();
    const { uid, name } = request.staff;
    runAs({ kind: "staff", id: uid, name, address: addressOf(request) }, done, deps.clock.now());
  });
  app.addHook("onSend", async (request, reply: FastifyReply) => {
    endTurn(request);
    reply.header("x-pointkeeper-now", deps.clock.now().toString()); // the page's times go by it
    if (request.staff !== undefined && !isRead(request.method)) tellChanged(deps, request, reply);
    reply.removeHeader("www-authenticate"); // the browser would show its own sign-in dialog
  });
}

function endTurn(request: FastifyRequest): void {
  request.endTurn?.();
  request.endTurn = null;
}

/** A person who changed something sees it in every list at once: until each replica in use has the change, their pages are read from the primary. */
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
  deps: GateDeps,
  request: FastifyRequest,
  { token, permission }: { readonly token: string | null; readonly permission: Permission },
): Promise<void> {
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
  if (needsConfirmation(request)) await checkConfirmed(deps, staff);
  request.staff = staff;
}

/** These permissions can give others access to the store, so their use is confirmed by a password or code. */
const STEP_UP_PERMISSIONS: readonly Permission[] = [
  "credentials.manage",
  "people.manage",
  "alerts.manage",
  "reports.manage", // files with every customer go on being sent, long after a stolen session has ended
];

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
 * Returns why a request may come from another site's page, or null. It cannot if it only reads, or if it has the dashboard's header, which no form
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
