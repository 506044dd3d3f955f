import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import { closeUnparsed } from "./close-unparsed.ts";

export interface ConnectionLimits {
  readonly connections: number;
  /** The limit per address, for IPv6 per /64; 0: unlimited, for connections that all come from proxies. */
  readonly connectionsPerAddress: number;
}

interface Held {
  readonly socket: Socket;
  readonly address: string;
  /** Requests whose heads have arrived and whose answers are not sent. */
  requests: number;
  /** Requests that wait for an earlier one of the connection. */
  readonly line: (() => void)[];
  /** Requests that were sent to the server and whose answers are not sent, those that wait included. */
  arrived: number;
  /** It has received an answer. */
  isProven: boolean;
  /** It sends a body whose sender is not known yet. */
  isReadingUnknown: boolean;
}

const HELD = Symbol("what the guard holds of a connection"); // asked several times a request: a map would be slower

type GuardedSocket = Socket & { [HELD]?: Held };

function heldOf(socket: GuardedSocket): Held | undefined {
  return socket[HELD];
}

/** Records whether a connection is sending a body whose sender is not known yet. */
export function readsUnknownBody(socket: Socket, isReading: boolean): void {
  const held = heldOf(socket);
  if (held !== undefined) held.isReadingUnknown = isReading;
}

/** How many requests a client may send without waiting for an answer: it could send thousands in one packet, and each takes some kilobytes. */
const UNANSWERED_MAX = 32;

/** Counts a request of a guarded connection. Returns false, and closes the connection, if too many of its requests are unanswered. */
export function mayArrive(socket: Socket): boolean {
  const held = heldOf(socket);
  if (held === undefined) return true;
  if (!socket.destroyed && ++held.arrived <= UNANSWERED_MAX) return true;
  held.line.length = 0;
  closeUnparsed(socket);
  return false;
}

function leave(socket: Socket): void {
  const held = heldOf(socket);
  if (held !== undefined) held.arrived--;
}

/** How many requests of one connection are handled at once: a client that sends without waiting for an answer gets the answers in order anyway. */
const PIPELINED_MAX = 4;

/**
 * Handles a request of a guarded connection once fewer than `PIPELINED_MAX` earlier ones are unanswered. Otherwise hundreds of requests in one packet,
 * behind one that takes long, would all be answered in memory. If the connection is closed, the request is never handled.
 */
export function handleInTurn(socket: Socket, handle: () => void): void {
  const held = heldOf(socket);
  if (held === undefined || held.requests < PIPELINED_MAX) handle();
  else held.line.push(handle);
}

/** Whether a request of a guarded connection was answered before. */
export function hasHadAnswer(socket: Socket): boolean {
  return heldOf(socket)?.isProven ?? false;
}

declare module "fastify" {
  interface FastifyInstance {
    /** Those of its server's guard. */
    closing: Pick<ConnectionGuard, "closeStalled" | "closeAll">;
  }
}

/** Informs a guard about requests that do not reach the server's listeners. */
export interface ConnectionGuard {
  begin(socket: Socket): void;
  /** `isAnswered`: its answer was sent. */
  end(socket: Socket, isAnswered: boolean): void;
  /**
   * Closes the connections whose clients have taken nothing of what was written for them, or not sent the whole head of a request, since the call
   * before: a server that stops accepting no longer checks its own time limits.
   */
  closeStalled(): void;
  closeAll(): void;
}

/**
 * Bounds the connections of a server, in total and by address. A connection above the limit replaces the one that has been silent for the longest:
 * first one that never had an answer, then one that waits between two requests, then one whose client does not take its answer as fast as it is
 * written. A request that waits for its answer is never cut; if all connections have one, the new connection is closed. So slow senders and slow
 * readers, however many, lock nobody out, and health checks get through. Closing idle connections cuts no answer off.
 */
export function guardConnections(server: Server, limits: ConnectionLimits): ConnectionGuard {
  const all = new Set<Held>(); // in the order of their last answer, or of their beginning
  const byAddress = new Map<string, Set<Held>>();

  server.on("connection", (socket: GuardedSocket) => {
    const held = heldFor(socket);
    const own = byAddress.get(held.address) ?? new Set<Held>();
    const isFull = limits.connectionsPerAddress > 0 && own.size >= limits.connectionsPerAddress;
    const from = isFull ? own : all.size >= limits.connections ? all : undefined;
    if (from !== undefined) {
      const silent = longestSilent(from);
      if (silent === undefined) return void socket.destroy();
      untrack(silent);
      silent.socket.destroy();
    }
    all.add(held);
    byAddress.set(held.address, (byAddress.get(held.address) ?? own).add(held));
    socket[HELD] = held;
    socket.once("close", () => untrack(held));
  });

  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...all].some(({ socket }) => isUntaken(socket))) return closeIdle();
    // Node would also close connections whose answers are written and not yet sent
    for (const { socket, requests, isProven } of all) if (requests === 0 && isProven) socket.destroy();
  };

  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    begin(socket);
    response.on("close", onClose);
  });

  /** One function object for all responses. */
  function onClose(this: ServerResponse): void {
    leave(this.req.socket);
    end(this.req.socket, this.writableFinished);
  }

  function begin(socket: Socket): void {
    const held = heldOf(socket);
    if (held !== undefined) held.requests++;
  }

  function end(socket: Socket, isAnswered: boolean): void {
    const held = heldOf(socket);
    if (held === undefined) return;
    held.requests--;
    held.isProven ||= isAnswered;
    if (!socket.destroyed) held.line.shift()?.();
    if (!all.delete(held)) return;
    all.add(held);
    const own = byAddress.get(held.address);
    if (own?.delete(held)) own.add(held);
  }

  function untrack(held: Held): void {
    all.delete(held);
    const own = byAddress.get(held.address);
    if (own?.delete(held) && own.size === 0) byAddress.delete(held.address);
  }

  let takenBefore: ReadonlyMap<Held, number> = new Map();
  function closeStalled(): void {
    const waiting = [...all].filter(({ requests, socket }) => requests === 0 || isUntaken(socket));
    for (const held of waiting) if (isStalled(held, takenBefore.get(held))) held.socket.destroy();
    takenBefore = new Map(waiting.map((held) => [held, takenOf(held.socket)]));
  }

  return { begin, end, closeStalled, closeAll: () => destroyAll(all) };
}

function destroyAll(connections: Iterable<Held>): void {
  for (const { socket } of connections) socket.destroy();
}

function heldFor(socket: Socket): Held {
  const address = normalizeIP(socket.remoteAddress ?? "");
  return { socket, address, requests: 0, line: [], arrived: 0, isProven: false, isReadingUnknown: false };
}

function longestSilent(among: ReadonlySet<Held>): Held | undefined {
  let idle: Held | undefined;
  let untaken: Held | undefined;
  for (const held of among) {
    if (held.requests > 0 && !held.isReadingUnknown) {
      if (untaken === undefined && isUntaken(held.socket)) untaken = held;
      continue;
    }
    if (!held.isProven) return held;
    idle ??= held;
  }
  return idle ?? untaken;
}

/** Whether a part of an answer is written that the client's machine has no room for, because the client reads nothing, or slowly. */
function isUntaken({ writableLength }: Socket): boolean {
  return writableLength > 0;
}

/** `takenBefore`: what its client had taken at an earlier time; undefined: it did not wait then. */
function isStalled({ requests, socket }: Held, takenBefore: number | undefined): boolean {
  return takenBefore !== undefined && (requests === 0 || takenBefore === takenOf(socket));
}

/** How many bytes the system has taken for the client. `bytesWritten` alone also counts those that still wait in the process. */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }; // cast: Node's own time limit of a socket reads it too
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}
