import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { excessOfBytes, JSON_DEPTH_MAX, type JsonLimits, scanJson } from "../../json-scan.ts";
import { Problem } from "../../problems.ts";
import { readsUnknownBody } from "../limits/connection-guard.ts";
import { type BodyBudget, createBodyBudget } from "./body-budget.ts";
import { parseJson, textFaults } from "./json-text.ts";
import { readBytes, WHOLE_FROM_BYTES } from "./read-bytes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bytes of the body as received: for signatures and for the fingerprint of an Idempotency-Key. */
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** The handler gets the unparsed bytes of the body, of any media type, because its signature is checked first. */
    rawBody?: true;
    /** The body may be of any media type and is ignored. */
    anyBody?: true;
    /** The handler gets the bytes of the JSON and parses them itself, within its own limits. */
    jsonBytes?: true;
    /** The `detail` of the refusal of a body that is too large: how large it may be and what to do. */
    tooLarge?: string;
  }
}

/** Bodies up to 1 MB; routes of the intake set 10 MB in their own `bodyLimit` (program.md 1). */
export const BODY_LIMIT_BYTES = 1_048_576;
export const INTAKE_BODY_LIMIT_BYTES = 10 * BODY_LIMIT_BYTES;
/** The limit of routes without authentication that set no other, such as the sign-in. */
export const OPEN_BODY_LIMIT_BYTES = 8_192;
/** From this size on the limits are checked before the bytes are decoded to text. */
const LARGE_BYTES = 65_536;
const JSON_LIMITS = { depth: JSON_DEPTH_MAX, elements: 20_000 } as const;

/** Limits on the bytes of all bodies that are being read. */
export interface BodyBudgets {
  /** Bytes of senders who are not known yet. */
  readonly unknownBytes: number;
  readonly knownBytes: number;
}

/** The framework keeps the last hundred content types of a process, with every parameter of each: 128 KB would become megabytes. */
const TYPE_LENGTH_MAX = 1_000;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8\b)[\w-]/i;

/**
 * Reads bodies (program.md 1): JSON of any `+json` type, without coercion; an empty body is no body. Refuses with 400 bytes that are not
 * JSON in UTF-8 or are nested too deep, and with 415 another type, character set or content coding. 413 is for a body above the route's
 * limit, before a byte is read if the request announces it, or above the limit of elements; 422 names each field with U+0000 or a lone
 * surrogate.
 */
export function readJsonBodies(app: FastifyInstance, budgets: BodyBudgets): void {
  app.decorateRequest("rawBody", undefined);
  app.removeAllContentTypeParsers();
  app.addHook("onRoute", (route) => {
    if (route.config?.open === true) route.bodyLimit ??= OPEN_BODY_LIMIT_BYTES;
  });
  app.addHook("preParsing", (request, reply, payload, done) => {
    const problem = request.is404 ? null : headProblem(request);
    if (problem === null) return done(null, payload);
    reply.header("connection", "close"); // the body may be on its way
    if (hasCoding(request)) reply.header("accept-encoding", "identity");
    done(problem);
  });
  const known = createBodyBudget(budgets.knownBytes);
  const unknown = createBodyBudget(budgets.unknownBytes);
  app.addContentTypeParser("*", (request, payload, done) => {
    const isUnknown = request.routeOptions.config.open === true;
    readBody(request, payload, { isUnknown, budget: isUnknown ? unknown : known }, done);
  });
}

/**
 * Frees the memory of a large body at once, not at the next garbage collection. For bodies that are refused before anybody else was given
 * their bytes, so that a flood of them leaves the process small. The request has no `rawBody` afterwards.
 */
export function discardBody(request: FastifyRequest): void {
  const { buffer } = request.rawBody ?? Buffer.alloc(0);
  request.rawBody = undefined;
  if (buffer.byteLength >= WHOLE_FROM_BYTES && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Returns the problem that the head of a request shows: an unsupported coding, a content type that is too long, or a body that is too large. */
function headProblem(request: FastifyRequest): Problem | null {
  const { headers, routeOptions } = request;
  if (hasCoding(request)) {
    return new Problem("unsupported_media_type", { faults: [{ detail: "expected a body without Content-Encoding" }] });
  }
  if ((headers["content-type"]?.length ?? 0) > TYPE_LENGTH_MAX) {
    const detail = `expected a Content-Type of at most ${TYPE_LENGTH_MAX} characters`;
    return new Problem("unsupported_media_type", { faults: [{ detail }] });
  }
  const { bodyLimit, config } = routeOptions;
  if (Number(headers["content-length"] ?? 0) <= bodyLimit) return null;
  return new Problem("body_too_large", config.tooLarge === undefined ? {} : { faults: [{ detail: config.tooLarge }] });
}

/** Whether the body has a content coding: none is supported. */
function hasCoding({ headers }: FastifyRequest): boolean {
  const coding = headers["content-encoding"];
  return coding !== undefined && coding.trim().toLowerCase() !== "identity";
}

function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  { isUnknown, budget }: { readonly isUnknown: boolean; readonly budget: BodyBudget },
  done: (error: Error | null, body?: unknown) => void,
): void {
  const { socket } = request.raw;
  if (isUnknown) readsUnknownBody(socket, true);
  const announced = isUnknown ? 0 : Number(request.headers["content-length"] ?? 0);
  readBytes(payload, { limit: request.routeOptions.bodyLimit, budget, announced }, (error, bytes) => {
    if (isUnknown) readsUnknownBody(socket, false);
    if (bytes === undefined) return done(error);
    let body: unknown;
    try {
      body = parseBody(request, bytes);
    } catch (fault) {
      return done(fault instanceof Error ? fault : new Error(String(fault)));
    }
    done(null, body);
  });
}

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  request.rawBody = bytes;
  const { config } = request.routeOptions;
  if (config.rawBody === true || config.anyBody === true) return bytes;
  if (bytes.length === 0) return undefined;
  const type = request.headers["content-type"] ?? "";
  if (type !== "application/json" && (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type))) {
    throw new Problem("unsupported_media_type", { faults: [{ detail: "expected application/json in UTF-8" }] });
  }
  return config.jsonBytes === true ? bytes : readJson(bytes);
}

/** Parses a JSON body within the limits of all bodies. Throws the refusal. */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem("invalid_json", { faults: [{ detail: "expected UTF-8" }] });
  const early = bytes.length < LARGE_BYTES ? null : excessOfBytes(bytes, JSON_LIMITS);
  if (early !== null) throw excessProblem(early);
  const text = bytes.toString("utf8");
  const scan = scanJson(text, JSON_LIMITS);
  if (scan.excess !== null) throw excessProblem(scan.excess);
  try {
    const body = parseJson(text, scan);
    const faults = textFaults(text, body);
    if (faults.length > 0) throw new Problem("invalid", { faults });
    return body;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Problem("invalid_json", { faults: [{ detail: error.message }] });
    throw error;
  }
}

function excessProblem(excess: keyof JsonLimits): Problem {
  if (excess === "depth") {
    return new Problem("invalid_json", {
      faults: [{ detail: `expected at most ${JSON_LIMITS.depth} levels of nesting` }],
    });
  }
  const detail = `expected at most ${JSON_LIMITS.elements} elements and fields`;
  return new Problem("body_too_large", { faults: [{ detail }] });
}
