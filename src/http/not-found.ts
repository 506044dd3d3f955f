import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";
import { BODY_LIMIT_BYTES } from "./bodies/json-body.ts";
import { sendRefusal } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route answers any address below a prefix, so its paths do not count as known for 405. */
    isPage?: true;
  }
}

/** Responds to a request that matches no route. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export interface Unknown {
  readonly answerUnknown: AnswerUnknown;
  /** Returns the methods of a path, for requests that never reach a route. */
  readonly allowedAt: (path: string) => string[];
}

/** Responds to unknown paths with 404, and to a known path under another method with 405 and `Allow` (program.md 1). */
export function registerNotFound(app: App): Unknown {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.isPage === true) return;
    const methods = methodsOf.get(url) ?? new Set<string>();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  const allowedAt = (path: string) => allowedMethods(methodsOf, path);
  const answerUnknown: AnswerUnknown = (request, reply) => {
    const allowed = allowedAt(request.url.split("?", 1)[0] ?? "");
    if (allowed.length === 0) return sendRefusal(reply, new Problem("not_found"));
    reply.header("allow", allowed.join(", "));
    return sendRefusal(reply, new Problem("method_not_allowed"));
  };
  app.setNotFoundHandler(answerUnknown);
  return { answerUnknown, allowedAt };
}

/**
 * Refuses requests without a route before their body is read. Their sender is not authenticated, so the bytes must not cost anything: the rest of the
 * body is dropped after the response. Register it after the hooks that write the headers of every response.
 */
export function registerUnreadBodies(app: App, answerUnknown: AnswerUnknown): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    // smaller bodies are read: closing a connection while a body arrives may lose the answer
    if (Number(request.headers["content-length"] ?? 0) > BODY_LIMIT_BYTES) reply.header("connection", "close");
    answerUnknown(request, reply);
  });
}

/** No pattern has this many parts: of a longer path only the first parts are checked. */
const PARTS_MAX = 32;

function allowedMethods(methodsOf: ReadonlyMap<string, ReadonlySet<string>>, path: string): string[] {
  const given = path.split("/", PARTS_MAX);
  const allowed = new Set<string>();
  for (const [pattern, methods] of methodsOf) {
    if (!isPathOf(pattern, given)) continue;
    for (const method of methods) allowed.add(method);
  }
  return [...allowed].sort();
}

function isPathOf(pattern: string, given: readonly string[]): boolean {
  const parts = pattern.split("/");
  if (parts.at(-1) === "*")
    return given.length >= parts.length && parts.slice(0, -1).every((part, i) => fits(part, given[i]));
  return parts.length === given.length && parts.every((part, i) => fits(part, given[i]));
}

function fits(part: string, given: string | undefined): boolean {
  return part.startsWith(":") ? given !== undefined && given !== "" : part === given;
}
