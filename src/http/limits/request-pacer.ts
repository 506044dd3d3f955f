import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { handleInTurn, hasHadAnswer, mayArrive } from "./connection-guard.ts";

/** How many first requests of new connections are handled in one turn of the event loop: some milliseconds of work. */
const FIRST_PER_TURN = 16;
/** How long they wait for the end of a rush of new connections. */
const RUSH_MS = 250;
/** Above this number they are handled as they arrive: one connection may send requests without waiting for an answer. */
const WAITING_MAX = 10_000;

interface Waiting {
  readonly socket: Socket;
  readonly handle: () => void;
  readonly sinceMs: number;
}

/** Handles the first request of a new connection in its turn. */
export type PaceFirst = (socket: Socket, handle: () => void) => void;

/**
 * Handles the first requests of new connections in turns of the event loop, a few in each, in the order of arrival. So thousands that
 * arrive at once delay neither the connections in use nor the requests that `isUrgent` selects. Node accepts one connection per turn: while
 * connections keep arriving, first requests wait, so that the last connection is not accepted only after all earlier requests were
 * answered. A request whose connection was closed while it waited is never handled. The server's present listeners of `request` handle the
 * requests. Returns the pacing for first requests that do not come as the event `request`.
 */
export function paceRequests(server: Server, isUrgent: (path: string) => boolean): PaceFirst {
  const listeners = server.listeners("request") as RequestListener[]; // cast: what the event is documented to call
  const waiting: Waiting[] = [];
  let hasNewConnection = false;
  let isScheduled = false;
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!mayArrive(request.socket)) return;
    if (hasHadAnswer(request.socket) || isUrgent(request.url ?? "")) handle(request, response);
    else paceFirst(request.socket, () => handle(request, response));
  });
  server.on("connection", () => {
    hasNewConnection = true;
  });

  function paceFirst(socket: Socket, first: () => void): void {
    if (waiting.length < WAITING_MAX) {
      waiting.push({ socket, handle: first, sinceMs: performance.now() });
      schedule();
    } else {
      first();
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    handleInTurn(request.socket, () => {
      for (const listener of listeners) listener.call(server, request, response);
    });
  }

  function handleSome(): void {
    isScheduled = false;
    const isRush = hasNewConnection && performance.now() - (waiting[0]?.sinceMs ?? 0) < RUSH_MS;
    hasNewConnection = false;
    for (const first of isRush ? [] : waiting.splice(0, FIRST_PER_TURN)) {
      if (!first.socket.destroyed) first.handle();
    }
    if (waiting.length > 0) schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(handleSome);
  }

  return paceFirst;
}
