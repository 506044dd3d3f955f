import type { RouteOptions, RouteShorthandOptions } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Deps } from "../../deps.ts";
import { routeCounts } from "../../instruments/instruments.ts";
import type { Scope } from "../../wire/access.ts";
import type { App } from "../app-type.ts";
import { readJson } from "../bodies/json-body.ts";
import { answerOfError } from "../errors.ts";
import type { ClaimedRequest, StoredAnswer } from "../idempotency/idempotency.ts";
import { routeName } from "../observe-requests.ts";
import { sendAnswer } from "../send-answer.ts";
import { bodyValidatorOf, type Validate } from "../validation.ts";
import { type DirectRoute, type DirectServer, serveDirectly } from "./direct-connections.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Returns the response to the route's plain requests, which bypass the framework. */
    direct?: DirectAnswer;
  }
}

/** The input of an answer, with and without the framework. */
export interface DirectRequest<Body = unknown> extends ClaimedRequest {
  readonly id: string;
  readonly body: Body;
}

export type DirectAnswer = (request: DirectRequest) => Promise<StoredAnswer>;

interface DirectOptions<Schema extends TSchema> extends RouteShorthandOptions {
  readonly config: { readonly scope: Scope } & RouteShorthandOptions["config"];
  readonly schema: { readonly body: Schema } & RouteShorthandOptions["schema"];
}

/**
 * Registers a POST whose plain requests (`plain-request`) are answered without the framework, with the same authentication, validation, limits and
 * counts. Every other request, and every refusal before `answer` runs, goes through the framework (decision 49). Use it only for the busiest
 * routes.
 */
export function postDirectly<Schema extends TSchema>(
  app: App,
  path: string,
  options: DirectOptions<Schema>,
  answer: (request: DirectRequest<Static<Schema>>) => Promise<StoredAnswer>,
): void {
  const direct = answer as DirectAnswer; // cast: both ways give it a body that the schema's validator has passed
  app.post(path, { ...options, config: { ...options.config, direct } }, async (request, reply) =>
    sendAnswer(reply, await direct(request)),
  );
}

type RouteDeps = Pick<Deps, "config" | "db" | "clock" | "log" | "secretBox" | "instruments" | "tracer">;

/** The work done for a request before its route, with and without the framework. */
export type DirectRules = Omit<DirectServer, "routes" | "log">;

/**
 * Serves the plain requests of the routes that `postDirectly` registered. If requests are traced, logged or counted by credential, all of them go
 * through the framework instead. Call it before routes are registered.
 */
export function registerDirectRoutes(app: App, deps: RouteDeps, rules: DirectRules): void {
  const { config, tracer } = deps;
  if (tracer !== null || config.accessLog || config.limits.credentialRate > 0) return;
  const routes = new Map<string, DirectRoute>();
  app.addHook("onRoute", (route) => {
    const { config: { direct, scope } = {} } = route;
    if (route.method !== "POST" || direct === undefined || scope === undefined) return;
    const admit = admission(scope, bodyValidatorOf(Object(route.schema?.body)));
    const counts = routeCounts(deps.instruments, route.method, route.url);
    routes.set(route.url, { counts, name: routeName(counts), admit, answer: answerOf(deps, route, direct) });
  });
  app.addHook("onReady", (done) => {
    if (routes.size > 0) serveDirectly(app.server, { ...rules, routes, log: deps.log });
    done();
  });
}

/** Returns the request that the route answers; null: the framework has to refuse it. */
function admission(scope: Scope, validate: Validate): DirectRoute["admit"] {
  return ({ path, headers, bodyBytes }, id, credential) => {
    if (!credential.scopes.includes(scope)) return null;
    const body = validBody(bodyBytes, validate);
    if (body === undefined) return null;
    return { id, method: "POST", url: path, headers, credential, rawBody: bodyBytes, isClaimTaken: false, body };
  };
}

/** Returns the parsed body; undefined: it is not JSON, or does not match the schema. */
function validBody(bytes: Buffer, validate: Validate): unknown {
  try {
    const result = validate(readJson(bytes));
    return "value" in result ? result.value : undefined;
  } catch {
    return undefined;
  }
}

function answerOf(deps: RouteDeps, { url }: RouteOptions, direct: DirectAnswer): DirectAnswer {
  return async (request) => {
    try {
      return await direct(request);
    } catch (error) {
      return answerOfError(deps, { ...request, routeOptions: { url } }, error);
    }
  };
}
