import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastJsonStringify from "fast-json-stringify";
import {
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifySerializerCompiler,
  fastify,
} from "fastify";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import { type Fault, Problem } from "../problems.ts";
import { registerAuth } from "./access/auth.ts";
import { registerHostCheck } from "./access/check-host.ts";
import type { Authenticate, OnAnswered, OnFailure } from "./access/credential.ts";
import type { AuthenticateCustomer } from "./access/customer-access.ts";
import type { App } from "./app-type.ts";
import { BODY_LIMIT_BYTES, readJsonBodies } from "./bodies/json-body.ts";
import { CLEAN_TEXT_DETAIL, isCleanText } from "./bodies/json-text.ts";
import { hasLongBody } from "./bodies/long-body.ts";
import { registerCompression } from "./compression.ts";
import { type DirectRules, registerDirectRoutes } from "./direct/direct-routes.ts";
import { createDraining, type Draining } from "./draining.ts";
import { registerErrors, sendRefusal } from "./errors.ts";
import { registerHeadAnswers } from "./head-answers.ts";
import { guardConnections } from "./limits/connection-guard.ts";
import { closeOnConnect, NeverUpgraded } from "./limits/never-upgraded.ts";
import { registerRateLimits } from "./limits/rate-limits.ts";
import { paceRequests } from "./limits/request-pacer.ts";
import { refuseSmallChunks, SMALL_CHUNKS, SMALL_CHUNKS_DETAIL } from "./limits/small-chunks.ts";
import { registerNotFound, registerUnreadBodies } from "./not-found.ts";
import { toSerializerForm } from "./nullable.ts";
import { observeRequests, REQUEST_ID_HEADER, requestIdMaker } from "./observe-requests.ts";
import { registerOddRequests, unknownMethodOf } from "./odd-requests.ts";
import { oncePerSchema, onFirstCall } from "./once-per-schema.ts";
import { healthChecks, routedPaths } from "./public-path.ts";
import { plainRefusal, type Refusal, refusalBody } from "./refusal.ts";
import { SECURITY_HEADERS, securityHeaders } from "./security-headers.ts";
import { registerUnknownParameters } from "./unknown-parameters.ts";
import { compileValidator } from "./validation.ts";

const PATH_PART_MAX = 1_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** A legitimate client sends the head of a request at once. */
const HEAD_TIMEOUT_MS = 15_000;
const TIMEOUTS_CHECKED_MS = 5_000;
// The path counts as a header: a list of ids that is too long is cut, not refused (interface.md 8).
const HEADERS_MAX_BYTES = 131_072;

type ServerDeps = Pick<Deps, "config" | "db" | "clock" | "random" | "log" | "instruments" | "tracer" | "secretBox">;

export interface ServerOptions {
  readonly draining?: Draining;
  /** Called for each request that was answered 401. */
  readonly onFailure?: OnFailure;
  readonly onAnswered?: OnAnswered;
  /** Verifies tokens of customers; absent: there are none. */
  readonly authenticateCustomer?: AuthenticateCustomer;
}

const serializerOf = oncePerSchema((schema: fastJsonStringify.AnySchema & object) =>
  onFirstCall(() => fastJsonStringify(schema)),
);

/** Compiles the serialisers of answers like the framework does, but each schema only once per process, and when it is needed. */
const compileSerializer: FastifySerializerCompiler<fastJsonStringify.AnySchema & object> = ({ schema }) =>
  serializerOf(schema);

/** Creates the server with the rules of every request (program.md 1 and 2); routes are registered on it afterwards. */
export function createServer(deps: ServerDeps, authenticate: Authenticate, options: ServerOptions = {}): App {
  const { draining = createDraining(), onFailure = () => undefined, onAnswered = () => undefined } = options;
  const { authenticateCustomer = refuseAll } = options;
  let allowedAt: (path: string) => string[] = () => [];
  const routedPath = routedPaths(deps.config.publicUrl);
  const requestId = requestIdMaker(deps);
  const app = fastify({
    logger: false,
    genReqId: requestId,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: deps.config.proxies === 0 ? false : (_address, hop) => hop < deps.config.proxies,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
      requireHostHeader: false, // see registerOddRequests
      IncomingMessage: NeverUpgraded,
    },
    forceCloseConnections: "idle",
    return503OnClosing: false, // what still arrives on an open connection while stopping is answered
    routerOptions: { maxParamLength: PATH_PART_MAX },
    frameworkErrors: answerFrameworkError,
    rewriteUrl: ({ url = "/" }: IncomingMessage) => routedPath(url),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, (url) => allowedAt(routedPath(url))),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  observeRequests(app, deps, onAnswered);
  registerErrors(app, deps);
  const unknown = registerNotFound(app);
  allowedAt = unknown.allowedAt;
  const limits = limitRequests(app, deps.config);
  app.addHook("onRoute", (route) => {
    const response = route.schema?.response;
    if (typeof response !== "object" || response === null) return;
    const answers = Object.entries(response).map(([status, schema]) => [
      status,
      typeof schema === "object" ? toSerializerForm(schema) : schema,
    ]);
    route.schema = { ...route.schema, response: Object.fromEntries(answers) };
  });
  const headers = securityHeaders(deps.config.publicUrl);
  registerDirectRoutes(app, deps, { authenticate, onAnswered, requestId, headers, draining, ...limits });
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(headers);
    if (draining.isOn()) reply.header("connection", "close");
    if (!request.url.includes("%00")) return done();
    const faults = [request.params, request.query].flatMap(badParameters);
    if (faults.length === 0) return done();
    reply.send(new Problem("invalid", { faults }));
  });
  registerOddRequests(app, { headers });
  registerHostCheck(app, deps.config.publicUrl);
  registerUnreadBodies(app, unknown.answerUnknown);
  registerUnknownParameters(app);
  registerHeadAnswers(app);
  registerCompression(app);
  registerAuth(app, authenticate, { clock: deps.clock, onFailure, authenticateCustomer });
  return app;
}

const refuseAll: AuthenticateCustomer = async () => new Problem("unauthorized");

/** Limits the connections, requests and bytes of one sender, so that others are served. */
function limitRequests(app: App, { limits, proxies, publicUrl }: Config): Pick<DirectRules, "guard" | "paceFirst"> {
  const connectionsPerAddress = proxies === 0 ? limits.connectionsPerAddress : 0;
  app.server.on("connection", (socket) => {
    socket.on("error", () => undefined); // a last resort: an error without a listener ends the process
  });
  const guard = guardConnections(app.server, { connections: limits.connections, connectionsPerAddress });
  app.decorate("closing", guard);
  const paceFirst = paceRequests(app.server, healthChecks(publicUrl));
  refuseSmallChunks(app.server);
  closeOnConnect(app.server);
  registerRateLimits(app, {
    address: limits.addressRate,
    failures: limits.failureRate,
    credential: limits.credentialRate,
    customer: limits.customerRate,
  });
  readJsonBodies(app, { unknownBytes: limits.unknownBodyBytes, knownBytes: limits.knownBodyBytes });
  return { guard, paceFirst };
}

/** Sends the refusal of a request that the router refuses before a route is known: a path that cannot be decoded, or a path parameter that is too long. */
function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS).header(REQUEST_ID_HEADER, request.id);
  sendRefusal(reply, plainRefusal(error.statusCode ?? 400));
}

function badParameters(parameters: unknown): Fault[] {
  return Object.entries(Object(parameters)).flatMap(([parameter, value]) => {
    const isClean = [value].flat().every((part) => typeof part !== "string" || isCleanText(part));
    return isClean ? [] : [{ parameter, detail: CLEAN_TEXT_DETAIL }];
  });
}

const REQUEST_LINE_STATUS = new Map([
  ["HPE_HEADER_OVERFLOW", 431],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
]);

/** Sends the refusal of bytes that are not an HTTP request; they never become a request of the server. */
function answerBrokenRequest(
  error: BrokenRequest,
  socket: Socket & { _httpMessage?: ServerResponse },
  allowedAt: (path: string) => string[],
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && hasLongBody(socket)) return; // Node reports this once and goes on reading
  if (socket.writable && socket._httpMessage?.headersSent !== true) {
    socket.write(brokenAnswer(error, allowedAt));
  }
  socket.destroy(); // without the error, which has been answered
}

interface BrokenRequest extends NodeJS.ErrnoException {
  /** A buffer, although the framework's types say otherwise. */
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

function brokenAnswer(error: BrokenRequest, allowedAt: (path: string) => string[]): string {
  const isMethod = error.code === "HPE_INVALID_METHOD";
  const unknown = isMethod ? unknownMethodOf(error.rawPacket, error.bytesParsed ?? 0) : null;
  const allowed = unknown === null ? [] : allowedAt(unknown.path);
  const faults = error.code === SMALL_CHUNKS ? [{ detail: SMALL_CHUNKS_DETAIL }] : [];
  const refusal: Refusal =
    unknown === null
      ? { ...plainRefusal(REQUEST_LINE_STATUS.get(error.code ?? "") ?? 400), faults }
      : new Problem(allowed.length === 0 ? "not_found" : "method_not_allowed");
  const body = refusalBody(refusal, unknown?.apiVersion);
  const headers = {
    ...SECURITY_HEADERS,
    ...(allowed.length === 0 ? {} : { allow: allowed.join(", ") }),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? refusal.title}\r\n${lines.join("")}\r\n${body}`;
}
