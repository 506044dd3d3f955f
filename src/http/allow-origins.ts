import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";

const METHODS = "GET, POST, OPTIONS";
const REQUEST_HEADERS = "authorization, content-type, idempotency-key, x-request-id";
const ANSWER_HEADERS = "idempotent-replayed, retry-after, x-request-id";
/** As long as browsers keep a preflight at most. */
const PREFLIGHT_S = 7_200;
const FORBIDDEN_ORIGIN =
  "the store does not allow pages of this origin: it is added in the dashboard, beside the storefront keys";

/**
 * Lets pages of allowed origins read the answers of a scope's routes, refusals too, and refuses those of others before anything is done.
 * No cookie is taken or set, so that a page elsewhere has nothing to ride on; a request without `origin` comes from no page.
 */
export function allowOrigins(scope: App, isAllowed: (origin: string) => Promise<boolean>): void {
  scope.addHook("onRequest", async (request) => {
    const { origin } = request.headers;
    if (origin === undefined || (await isAllowed(origin))) return;
    throw new Problem("forbidden", { faults: [{ detail: FORBIDDEN_ORIGIN }] });
  });
  // at the end, so that what is refused before this scope's hooks can be read by the page too
  scope.addHook("onSend", async (request, reply) => {
    const { origin } = request.headers;
    reply.header("vary", "origin").header("cache-control", "private, no-store");
    if (reply.statusCode === 401) reply.header("www-authenticate", 'Bearer realm="pointkeeper-storefront"');
    // without a database nobody is allowed for certain; the refusal itself goes out
    if (origin === undefined || !(await isAllowed(origin).catch(() => false))) return;
    reply
      .header("access-control-allow-origin", origin)
      .header("access-control-expose-headers", ANSWER_HEADERS)
      .header("cross-origin-resource-policy", "cross-origin");
  });
  scope.options(
    "/*",
    { config: { open: true, isProbe: true, isPage: true }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .code(204)
        .header("access-control-allow-methods", METHODS)
        .header("access-control-allow-headers", REQUEST_HEADERS)
        .header("access-control-max-age", String(PREFLIGHT_S))
        .send(),
  );
}
