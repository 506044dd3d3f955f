import { Problem } from "../../problems.ts";
import type { App } from "../app-type.ts";

const METHODS = "GET, POST, OPTIONS";
const REQUEST_HEADERS = "authorization, content-type, idempotency-key, x-request-id";
const ANSWER_HEADERS = "idempotent-replayed, retry-after, x-request-id";
/** The maximum time for which browsers cache a preflight. */
const PREFLIGHT_S = 7_200;
const FORBIDDEN_ORIGIN =
  "the store does not allow pages of this origin: it is added in the dashboard, beside the storefront keys";

/**
 * Lets pages of allowed origins read the answers of a scope's routes, including refusals, and refuses requests of other origins before anything is
 * done. No cookie is used, so another site's page cannot misuse one; a request without `origin` does not come from a page.
 */
export function allowOrigins(scope: App, isAllowed: (origin: string) => Promise<boolean>): void {
  scope.addHook("onRequest", async (request) => {
    const { origin } = request.headers;
    if (origin === undefined || (await isAllowed(origin))) return;
    throw new Problem("forbidden", { faults: [{ detail: FORBIDDEN_ORIGIN }] });
  });
  // runs last, so that the page can also read refusals that come before this scope's hooks
  scope.addHook("onSend", async (request, reply) => {
    const { origin } = request.headers;
    reply.header("vary", "origin").header("cache-control", "private, no-store");
    if (reply.statusCode === 401) reply.header("www-authenticate", 'Bearer realm="pointkeeper-storefront"');
    // without a database no origin can be checked, so none is allowed; the refusal itself is still sent
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
