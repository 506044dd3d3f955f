import type { FastifyRequest, preValidationHookHandler } from "fastify";
import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";

const HEADER = "pointkeeper-unknown-parameters";
const NAMES_IN_HEADER_MAX = 10;
const FAULTS_MAX = 100;
const NAME_LENGTH_MAX = 100;

/**
 * Reports query parameters that a route of the API does not know, instead of ignoring them silently (a misspelt filter returns another list). With
 * `x-api-version: 2.0.0` it is a 422 that names each, otherwise the header `pointkeeper-unknown-parameters` of the answer.
 */
export function registerUnknownParameters(app: App): void {
  app.addHook("onRoute", (route) => {
    if (route.config?.scope === undefined) return;
    const { properties } = Object(route.schema?.querystring);
    const known = new Set(Object.keys(Object(properties)));
    route.preValidation = [tellUnknown(known), ...[route.preValidation ?? []].flat()];
  });
}

function tellUnknown(known: ReadonlySet<string>): preValidationHookHandler {
  const expected = known.size === 0 ? "no parameter is" : `expected ${[...known].join(", ")}`;
  return (request, reply, done) => {
    if (!request.url.includes("?")) return done();
    const unknown = unknownNames(request, known);
    if (unknown.length === 0) return done();
    if (request.headers["x-api-version"] !== "2.0.0") {
      reply.header(HEADER, unknown.slice(0, NAMES_IN_HEADER_MAX).map(headerSafe).join(", "));
      return done();
    }
    const detail = `is not known here: ${expected}`;
    const faults = unknown.slice(0, FAULTS_MAX).map((name) => ({ parameter: cut(name), detail }));
    done(new Problem("invalid", { faults }));
  };
}

function unknownNames(request: FastifyRequest, known: ReadonlySet<string>): string[] {
  return Object.keys(Object(request.query)).filter((name) => !known.has(name));
}

function cut(name: string): string {
  return [...name.toWellFormed()].slice(0, NAME_LENGTH_MAX).join("");
}

/** Returns printable ASCII unchanged, without the comma that separates names; everything else as escapes. */
function headerSafe(name: string): string {
  return cut(name)
    .replace(/[^\x21-\x2b\x2d-\x7e]/gu, (character) => encodeURIComponent(character))
    .slice(0, NAME_LENGTH_MAX);
}
