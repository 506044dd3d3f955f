import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";
import { sendRefusal } from "./errors.ts";
import { mayArrive } from "./limits/connection-guard.ts";
import { plainRefusal, type Refusal, refusalBody } from "./refusal.ts";

/** Refuses requests that Node would answer itself, or that the router would misinterpret, in the format of all refusals (program.md 1). */
export function registerOddRequests(
  app: App,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const refusal = oddRefusal(request);
    if (refusal === null) return done();
    sendRefusal(reply, refusal);
  });
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    if (!mayArrive(request.socket)) return;
    const refusal = { ...plainRefusal(417), faults: [{ detail: "expected no header Expect, or 100-continue" }] };
    const body = refusalBody(refusal, request.headers["x-api-version"]);
    const type = { "content-type": "application/json; charset=utf-8", connection: "close" };
    response.writeHead(417, { ...headers, ...type, "content-length": Buffer.byteLength(body) }).end(body);
  });
}

function oddRefusal(request: FastifyRequest): Refusal | null {
  const hosts = hostsOf(request);
  if (hosts === 0 && request.raw.httpVersion === "1.1") {
    return { ...plainRefusal(400), faults: [{ detail: "expected the header Host" }] };
  }
  if (hosts > 1) return { ...plainRefusal(400), faults: [{ detail: "expected the header Host only once" }] };
  return hasEmptyId(request) ? new Problem("not_found") : null;
}

/** Returns how many headers Host were sent. Node keeps the first, a proxy in front may have used the last (RFC 9112, 3.2). */
function hostsOf({ raw }: FastifyRequest): number {
  return raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === "host").length;
}

/** Whether a path parameter is empty, such as the one after the slash of `/point_allotments/`. */
function hasEmptyId({ url, params }: FastifyRequest): boolean {
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  if (!path.endsWith("/") && !path.includes("//")) return false;
  return Object.entries(Object(params)).some(([name, value]) => name !== "*" && value === "");
}

/** Each part ends where the next one begins, so that a text which does not match is read once: anybody may send it. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]{1,40} ((?:https?:\/)?\/[^\s?]*)(?:\?\S*)? HTTP\/1\.[01]\r\n/i;
const PATH_MAX = 8_000;
const NEWER_VERSION = /\r\nx-api-version:[ \t]*2\.0\.0[ \t]*\r\n/i;

/** The received part of a request whose method the parser does not know. */
export interface UnknownMethod {
  /** Also with scheme and host, and below the public path: as it was sent. */
  readonly path: string;
  readonly apiVersion: string | undefined;
}

/** Reads a request at whose method the parser stopped; null if it is not a request. */
export function unknownMethodOf(packet: unknown, bytesParsed: number): UnknownMethod | null {
  if (!Buffer.isBuffer(packet)) return null;
  const begun = packet.toString("latin1");
  const start = bytesParsed === 0 ? 0 : begun.lastIndexOf("\n", bytesParsed - 1) + 1;
  const text = begun.slice(start);
  const path = REQUEST_LINE.exec(text)?.[1];
  return path === undefined || path.length > PATH_MAX
    ? null
    : { path, apiVersion: NEWER_VERSION.test(text) ? "2.0.0" : undefined };
}
