import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest, onResponseHookHandler } from "fastify";
import type { Deps } from "../deps.ts";
import { countRequest, type Instruments, type RouteCounts, routeCounts } from "../instruments/instruments.ts";
import { createRequestIds, givenRequestId, runInRequest } from "../instruments/request-scope.ts";
import type { Span } from "../instruments/tracer.ts";
import type { OnAnswered } from "./access/credential.ts";
import type { App } from "./app-type.ts";

type ObservedDeps = Pick<Deps, "config" | "log" | "instruments" | "tracer">;

declare module "fastify" {
  interface FastifyRequest {
    /** null: traces are off. */
    span: Span | null;
  }
}

/** The header by which a request and its response name the request. */
export const REQUEST_ID_HEADER = "x-request-id";
/** The route name of requests that match no route, whatever their path. */
const UNKNOWN_ROUTE = "unknown";
const PREFIX_BYTES = 6;

/** Returns a function that names a request: by the id that it brings, or by one of this process. */
export function requestIdMaker({
  random,
}: Pick<Deps, "random">): (request: Pick<IncomingMessage, "headers">) => string {
  const next = createRequestIds(random.bytes(PREFIX_BYTES).toString("hex"));
  return ({ headers }) => givenRequestId(headers[REQUEST_ID_HEADER]) ?? next();
}

/** Returns the id that the body of a refusal shows (decision 35); undefined: it shows none. */
export function shownRequestId(
  { id, headers }: Pick<FastifyRequest, "id" | "headers">,
  status: number,
): string | undefined {
  return status >= 500 || headers[REQUEST_ID_HEADER] === id ? id : undefined;
}

/**
 * Names every request in its response, in its log lines and in the work that it starts, and counts it by route and status. If configured,
 * it also writes a log line or a trace for each request; requests of credentials are passed on. Register it before all other hooks.
 */
export function observeRequests(app: App, deps: ObservedDeps, onAnswered: OnAnswered): void {
  const unknown = routeCounts(deps.instruments, "ANY", UNKNOWN_ROUTE);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    if (request.is404) reply.raw.once("finish", () => countRequest(unknown, reply.statusCode, reply.elapsedTime));
    done();
  });
  if (deps.tracer !== null) traceRequests(app, deps.tracer);
  // not earlier: the arrival of the body would lose it again
  app.addHook("preHandler", (request, _reply, done) =>
    runInRequest({ id: request.id, span: request.span ?? null }, done),
  );
  countRequests(app, deps.instruments, onAnswered);
  if (deps.config.accessLog) logRequests(app, deps);
}

/** Each route has its own counters, so that nothing is looked up when a request ends. */
function countRequests(app: App, instruments: Instruments, onAnswered: OnAnswered): void {
  const counting = new WeakSet<onResponseHookHandler>();
  app.addHook("onRoute", (route) => {
    const counts = routeCounts(instruments, String(route.method), route.url);
    const name = routeName(counts);
    const isOfCredential = route.config?.scope !== undefined;
    const count: onResponseHookHandler = ({ id, credential }, reply, done) => {
      const { statusCode: status, elapsedTime: ms } = reply;
      countRequest(counts, status, ms);
      if (isOfCredential && credential !== undefined)
        onAnswered({ credentialUid: credential.uid, id, route: name, status, ms });
      done();
    };
    counting.add(count);
    const others = [route.onResponse ?? []].flat().filter((hook) => !counting.has(hook)); // the route that HEAD copies counts too
    route.onResponse = [count, ...others];
  });
}

/** Returns a route's name as lists of requests show it. */
export function routeName({ method, route }: Pick<RouteCounts, "method" | "route">): string {
  return `${method} ${route}`;
}

/** Logs one line for each request, with the route's pattern and never the URL, which may contain ids, e-mails and signatures. */
function logRequests(app: App, { log }: Pick<Deps, "log">): void {
  app.addHook("onResponse", (request, reply, done) => {
    log.info(accessFields(request, reply), "request");
    done();
  });
}

function accessFields(request: FastifyRequest, reply: FastifyReply): Record<string, unknown> {
  const { id, method, credential } = request;
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  return {
    requestId: id,
    method,
    route: request.routeOptions.url ?? UNKNOWN_ROUTE,
    status: reply.statusCode,
    ms,
    ...(credential === undefined ? {} : { credential: credential.name }),
  };
}

function traceRequests(app: App, tracer: NonNullable<Deps["tracer"]>): void {
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url ?? UNKNOWN_ROUTE;
    request.span = tracer.start(`${request.method} ${route}`, {
      kind: "server",
      parent: request.headers["traceparent"] as string | undefined, // cast: a header that is sent once
      attributes: { "http.request.method": request.method, "http.route": route, "pointkeeper.request_id": request.id },
    });
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    const failure = statusCode >= 500 ? new Error(String(statusCode)) : undefined;
    request.span?.end({ "http.response.status_code": statusCode }, failure);
    done();
  });
}
