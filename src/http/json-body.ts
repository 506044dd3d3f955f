import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../problems.ts";
import { parseJson, textFaults } from "./json-text.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bytes of the body as they came: for signatures and for the fingerprint of an Idempotency-Key. */
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** The handler gets the body's bytes, of any media type, unread: its signature is checked first. */
    rawBody?: true;
  }
}

/** Bodies up to 1 MB; routes of the intake say 10 MB in their own `bodyLimit` (program.md 1). */
export const BODY_LIMIT_BYTES = 1_048_576;
export const INTAKE_BODY_LIMIT_BYTES = 10 * BODY_LIMIT_BYTES;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8\b)[\w-]/i;

/**
 * Reads bodies (program.md 1): JSON of any `+json` type without coercion; no bytes are no body; 400 where the bytes are no JSON
 * in UTF-8, 415 for another type or character set, 413 above the route's limit, 422 naming each member with U+0000 or a lone surrogate.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest("rawBody", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES }, (request, body, done) => {
    try {
      done(null, readBody(request, toBuffer(body)));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  request.rawBody = bytes;
  if (request.routeOptions.config.rawBody === true) return bytes;
  if (bytes.length === 0) return undefined;
  const type = request.headers["content-type"] ?? "";
  if (type !== "application/json" && (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type))) {
    throw new Problem("unsupported_media_type", { faults: [{ detail: "expected application/json in UTF-8" }] });
  }
  return readJson(bytes);
}

function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem("bad_json", { faults: [{ detail: "expected UTF-8" }] });
  const text = bytes.toString("utf8");
  try {
    const body = parseJson(text);
    const faults = textFaults(text, body);
    if (faults.length > 0) throw new Problem("invalid", { faults });
    return body;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Problem("bad_json", { faults: [{ detail: error.message }] });
    if (error instanceof RangeError) throw new Problem("bad_json", { faults: [{ detail: "nested too deep" }] });
    throw error;
  }
}

function toBuffer(body: string | Buffer): Buffer {
  return typeof body === "string" ? Buffer.from(body) : body;
}
