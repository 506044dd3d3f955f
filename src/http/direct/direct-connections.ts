import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../deps.ts";
import { countRequest, type RouteCounts } from "../../instruments/instruments.ts";
import { runInRequest } from "../../instruments/request-scope.ts";
import type { Authenticate, Credential, OnAnswered } from "../access/credential.ts";
import type { Draining } from "../draining.ts";
import type { StoredAnswer } from "../idempotency/idempotency.ts";
import { type ConnectionGuard, hasHadAnswer } from "../limits/connection-guard.ts";
import type { PaceFirst } from "../limits/request-pacer.ts";
import { REQUEST_ID_HEADER, shownRequestId } from "../observe-requests.ts";
import { renderStored } from "../refusal.ts";
import type { DirectAnswer, DirectRequest } from "./direct-routes.ts";
import { createPlainReader, type PlainRequest } from "./plain-request.ts";

/** A route whose plain requests are answered on the connection itself. */
export interface DirectRoute {
  readonly counts: RouteCounts;
  readonly name: string;
  /** null: the request goes through the framework. */
  readonly admit: (request: PlainRequest, id: string, credential: Credential) => DirectRequest | null;
  /** Never rejects. */
  readonly answer: DirectAnswer;
}

export interface DirectServer {
  /** By their paths. */
  readonly routes: ReadonlyMap<string, DirectRoute>;
  readonly authenticate: Authenticate;
  readonly onAnswered: OnAnswered;
  readonly requestId: (request: Pick<PlainRequest, "headers">) => string;
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly draining: Draining;
  readonly guard: ConnectionGuard;
  readonly paceFirst: PaceFirst;
  readonly log: Log;
}

interface Connection {
  readonly socket: Socket;
  readonly read: (bytes: Buffer) => PlainRequest | null;
  /** A request of the connection is being answered. */
  isBusy: boolean;
  /** Bytes that arrived meanwhile. */
  early: Buffer | null;
  /** The client has ended its side of the connection. */
  isEnded: boolean;
  /** Its last answer said that the connection closes. */
  isLast: boolean;
  /** When its last answer was sent; 0: it has had none. */
  answeredAtMs: number;
  /** The number of sweeps since the connection was opened. */
  sweeps: number;
  /** Removes the listeners. */
  release(): void;
}

const SWEEP_MS = 5_000;
const UNSAFE_IN_HEADER = /[^\t\x20-\x7e]/;

/** A server whose connections are taken over. */
interface Served extends DirectServer {
  readonly server: Server;
  readonly open: Set<Connection>;
  /** The server's own listener: it parses what the connection sends. */
  readonly handle: (socket: Socket) => void;
}

/**
 * Takes over the server's connections until one sends anything other than a plain request that its route accepts. From then on the
 * connection belongs to the server, with the bytes that it has sent. So nothing is refused here, and an unusual client gets the framework's
 * answers. An idle connection is closed when the server would close it.
 */
export function serveDirectly(server: Server, options: DirectServer): void {
  const [handle] = server.listeners("connection") as ((socket: Socket) => void)[]; // cast: what the event is documented to call
  if (handle === undefined) throw new Error("the server does not listen for connections");
  const served: Served = { ...options, server, handle, open: new Set() };
  const closeOthers = server.closeIdleConnections.bind(server);
  server.removeListener("connection", handle);
  server.on("connection", (socket) => {
    if (!socket.destroyed) take(served, socket);
  });
  server.closeIdleConnections = () => {
    closeOthers();
    for (const { isBusy, socket } of served.open) if (!isBusy) socket.destroy();
  };
  const timer = setInterval(() => sweep(served), SWEEP_MS).unref();
  server.once("close", () => clearInterval(timer));
}

function take(served: Served, socket: Socket): void {
  const listeners = {
    data: (bytes: Buffer) => receive(served, connection, bytes),
    end: () => {
      connection.isEnded = true;
      if (!connection.isBusy) socket.end();
    },
    error: () => {}, // it is destroyed by itself
    close: () => connection.release(),
  };
  const connection: Connection = {
    socket,
    read: createPlainReader((path) => served.routes.has(path)),
    isBusy: false,
    early: null,
    isEnded: false,
    isLast: false,
    answeredAtMs: 0,
    sweeps: 0,
    release() {
      served.open.delete(connection);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
    },
  };
  served.open.add(connection);
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
}

function receive(served: Served, connection: Connection, bytes: Buffer): void {
  const { socket } = connection;
  if (connection.isBusy) {
    socket.pause();
    connection.early = connection.early === null ? bytes : Buffer.concat([connection.early, bytes]);
    return;
  }
  const plain = isClosing(served) ? null : connection.read(bytes);
  const route = plain === null ? undefined : served.routes.get(plain.path);
  const header = plain?.headers.authorization;
  if (plain === null || route === undefined || header === undefined) {
    handOver(served, connection, bytes);
    return;
  }
  connection.isBusy = true;
  served.guard.begin(socket);
  const admit = (credential: Credential | null) => {
    const request = credential === null ? null : route.admit(plain, served.requestId(plain), credential);
    if (request === null) leaveToServer(served, connection, bytes);
    else if (hasHadAnswer(socket)) serve(served, connection, route, request);
    else served.paceFirst(socket, () => serve(served, connection, route, request));
  };
  const credential = served.authenticate(header);
  if (credential instanceof Promise) {
    socket.pause(); // further bytes wait until it is decided which side answers
    credential
      .catch(() => null)
      .then((found) => {
        socket.resume();
        admit(found);
      });
  } else {
    admit(credential);
  }
}

function isClosing({ draining, server }: Served): boolean {
  return draining.isOn() || !server.listening;
}

/** Leaves a request that is not accepted to the framework, which checks all of it again. */
function leaveToServer(served: Served, connection: Connection, bytes: Buffer): void {
  const { socket, early } = connection;
  served.guard.end(socket, false);
  if (!socket.destroyed) handOver(served, connection, early === null ? bytes : Buffer.concat([bytes, early]));
}

function handOver({ server, handle }: Served, connection: Connection, bytes: Buffer | null): void {
  const { socket } = connection;
  connection.release();
  socket.pause();
  if (bytes !== null) socket.unshift(bytes);
  handle.call(server, socket);
  socket.resume();
}

function serve(served: Served, connection: Connection, route: DirectRoute, request: DirectRequest): void {
  const startedMs = performance.now();
  const { socket } = connection;
  runInRequest({ id: request.id, span: null }, () => route.answer(request))
    .then((answer) => {
      connection.isLast = isClosing(served);
      socket.write(answerText(served.headers, request, answer, keptLines(served, connection)));
      connection.answeredAtMs = performance.now();
      const { status } = answer;
      const ms = connection.answeredAtMs - startedMs;
      countRequest(route.counts, status, ms);
      served.onAnswered({ credentialUid: request.credential.uid, id: request.id, route: route.name, status, ms });
    })
    .catch((error: unknown) => {
      served.log.error({ requestId: request.id, error }, "a response could not be sent");
      socket.destroy();
    })
    .then(() => {
      // most often the system has taken it whole; what a slow reader leaves behind is waited for
      if (socket.writableLength === 0 || socket.destroyed) finish(served, connection);
      else socket.write("", () => finish(served, connection));
    });
}

function finish(served: Served, connection: Connection): void {
  const { socket, early } = connection;
  connection.isBusy = false;
  served.guard.end(socket, !socket.destroyed);
  if (socket.destroyed) return;
  if (connection.isLast)
    socket.destroySoon(); // as the server does: a client that keeps its side open holds up no stop
  else if (early !== null) handOver(served, connection, early);
  else if (connection.isEnded || isClosing(served)) socket.destroySoon();
}

/**
 * Closes connections that were idle for the keep-alive time. Connections that never sent anything are handed to the server, which has its
 * own timeouts.
 */
function sweep(served: Served): void {
  const nowMs = performance.now();
  for (const connection of served.open) {
    const { isBusy, answeredAtMs, socket } = connection;
    if (isBusy) continue;
    if (answeredAtMs === 0 && ++connection.sweeps > 1) handOver(served, connection, null);
    else if (answeredAtMs > 0 && nowMs - answeredAtMs > served.server.keepAliveTimeout) socket.destroy();
  }
}

/** Returns the whole answer, with the headers that the server itself would send. */
function answerText(
  fixed: Readonly<Record<string, string>>,
  request: DirectRequest,
  { status, headers, body }: StoredAnswer,
  kept: string,
): string {
  const text = renderStored(body, request.headers["x-api-version"], shownRequestId(request, status));
  const own = headers === null ? "" : headerLines(headers);
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${REQUEST_ID_HEADER}: ${request.id}\r\n${fixedLines(fixed)}${own}` +
    `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nDate: ${dateText()}\r\n` +
    `${kept}\r\n${text}`
  );
}

/** Returns the header that says whether another request may follow: if not, the client opens another connection and loses no request. */
function keptLines({ server }: Served, { isLast }: Connection): string {
  if (isLast) return "Connection: close\r\n";
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1_000)}\r\n`;
}

const linesOf = new WeakMap<object, string>();

function fixedLines(headers: Readonly<Record<string, string>>): string {
  const known = linesOf.get(headers);
  if (known !== undefined) return known;
  const lines = headerLines(headers);
  linesOf.set(headers, lines);
  return lines;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => {
      if (UNSAFE_IN_HEADER.test(name) || UNSAFE_IN_HEADER.test(value))
        throw new Error(`a header ${name} cannot be sent`);
      return `${name}: ${value}\r\n`;
    })
    .join("");
}

let dateSecond = 0;
let date = "";

/** Returns the date header, computed once per second. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1_000).toUTCString();
  }
  return date;
}
