import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  preHandlerHookHandler,
} from "fastify";
import { runAs } from "../../actor.ts";
import type { Clock } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { CustomerScope, Scope } from "../../wire/access.ts";
import { addressOf } from "../address-key.ts";
import type { Authenticate, Credential, OnFailure } from "./credential.ts";
import type { AuthenticateCustomer, AuthenticatedCustomer } from "./customer-access.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The scope that a credential needs for the route. */
    scope?: Scope;
    /** The route needs no credential. */
    open?: true;
    /** The scope that a customer's token needs; credentials cannot use the route. */
    customer?: CustomerScope;
  }
  interface FastifyRequest {
    /** The credential that sends the request. Absent on an open route. */
    credential: Credential;
    /** The customer named by the request's token. Present only on routes of customers. */
    customer: AuthenticatedCustomer;
  }
}

/** Scopes for rare changes of settings: these changes run in the credential's name, for the audit log. */
const SCOPES_OF_SETTINGS: readonly Scope[] = ["admin", "webhooks"];

const HOW_TO_AUTHENTICATE =
  "expected the header authorization: Basic base64(key:secret), or Bearer <secret>, of a credential that is not revoked";

/** Below this path routes may name a permission instead, which the dashboard's own hook checks (src/admin/register-gate.ts). */
const DASHBOARD_API = "/admin/api/";

/**
 * Authenticates every request before its body is read (interface.md 5, program.md 2): 401 without a known credential, 403 if it lacks the route's
 * scope. Each route has `config: { scope }`, `config: { open: true }` or, only on the dashboard, `config: { permission }`; a route without any of
 * these is refused here.
 */
export function registerAuth(
  app: FastifyInstance,
  authenticate: Authenticate,
  {
    clock,
    onFailure,
    authenticateCustomer,
  }: { readonly clock: Clock; readonly onFailure: OnFailure; readonly authenticateCustomer: AuthenticateCustomer },
): void {
  app.decorateRequest("credential");
  app.decorateRequest("customer");
  app.addHook("onError", (request, _reply, error, done) => {
    const isUnknown = error instanceof Problem && error.code === "unauthorized";
    if (isUnknown && !request.url.startsWith(DASHBOARD_API)) onFailure(request.ip);
    done();
  });
  app.addHook("onRoute", (route) => {
    const { method, url, config } = route;
    const isPermitted = config?.permission !== undefined && url.startsWith(DASHBOARD_API);
    const isOfCustomer = config?.customer !== undefined;
    if (config?.scope === undefined && config?.open !== true && !isPermitted && !isOfCustomer) {
      throw new Error(`${String(method)} ${url} says neither \`config: { scope }\` nor \`config: { open: true }\`.`);
    }
    if (config?.scope !== undefined && SCOPES_OF_SETTINGS.includes(config.scope)) {
      route.preHandler = [actAsCredential(clock), ...[route.preHandler ?? []].flat()];
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    const { scope, customer } = request.routeOptions.config;
    if (!request.is404 && customer !== undefined) {
      authenticateCustomer(request.headers.authorization).then((found) => {
        const refusal = found instanceof Problem ? found : admitCustomer(request, found, customer);
        if (refusal === null) done();
        else reply.send(refusal);
      }, done);
      return;
    }
    if (request.is404 || scope === undefined) return done();
    const header = request.headers.authorization;
    const found = header === undefined ? null : authenticate(header);
    if (found instanceof Promise) {
      found.then((late) => admit(request, reply, done, late, scope), done);
    } else {
      admit(request, reply, done, found, scope);
    }
  });
}

/** Runs the handler in the credential's name. This cannot be set earlier: the arrival of the body would lose it. */
function actAsCredential(clock: Clock): preHandlerHookHandler {
  return (request, _reply, done) => {
    const { uid, name } = request.credential;
    runAs({ kind: "credential", id: uid, name, address: addressOf(request) }, done, clock.now());
  };
}

/** Uses the customer in place of a credential: Idempotency-Keys, limits and the request log count by it. It has no scope of the API. */
function admitCustomer(
  request: FastifyRequest,
  customer: AuthenticatedCustomer,
  needed: CustomerScope,
): Problem | null {
  if (!customer.scopes.includes(needed))
    return new Problem("forbidden", { faults: [{ detail: `the token lacks the scope ${needed}` }] });
  request.customer = customer;
  request.credential = {
    uid: customer.customerUid,
    name: `storefront/${customer.keyName}`,
    key: customer.kid,
    scopes: [],
  };
  return null;
}

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
  credential: Credential | null,
  scope: Scope,
): void {
  if (credential === null)
    return void reply.send(new Problem("unauthorized", { faults: [{ detail: HOW_TO_AUTHENTICATE }] }));
  request.credential = credential; // of a refusal too: its line of the request log has it
  if (!credential.scopes.includes(scope)) {
    const isClosed = credential.scopes.length === 0;
    const detail = isClosed ? "the API use of this credential is closed" : `the credential lacks the scope ${scope}`;
    return void reply.send(new Problem("forbidden", { faults: [{ detail }] }));
  }
  done();
}
