import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import { Problem } from "../problems.ts";
import type { Authenticate, Credential, Scope } from "./credential.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a credential must be allowed to use the route. */
    scope?: Scope;
    /** The route needs no credential. */
    open?: true;
  }
  interface FastifyRequest {
    /** Who sends the request. Not there on an open route. */
    credential: Credential;
  }
}

/**
 * Authenticates every request before its body is read (interface.md 5, program.md 2): 401 without a known credential, 403 where it
 * lacks the route's scope. Each route says `config: { scope }` or `config: { open: true }`; one that says neither is refused here.
 */
export function registerAuth(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest("credential");
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.scope === undefined && config?.open !== true) {
      throw new Error(`${String(method)} ${url} says neither \`config: { scope }\` nor \`config: { open: true }\`.`);
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    const { scope } = request.routeOptions.config;
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

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
  credential: Credential | null,
  scope: Scope,
): void {
  if (credential === null) return void reply.send(new Problem("unauthorized"));
  if (!credential.scopes.includes(scope)) {
    return void reply.send(
      new Problem("forbidden", { faults: [{ detail: `the credential lacks the scope ${scope}` }] }),
    );
  }
  request.credential = credential;
  done();
}
