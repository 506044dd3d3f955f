import type { Socket } from "node:net";

const allowed = new WeakSet<Socket>();

/** Lets the current request of a connection take longer than the request timeout, as long as a byte arrives every `idleMs`. */
export function allowLongBody(socket: Socket, idleMs: number): void {
  allowed.add(socket);
  socket.setTimeout(idleMs);
}

/** Ends the exception when the request's body has arrived. */
export function endLongBody(socket: Socket): void {
  allowed.delete(socket);
  socket.setTimeout(0);
}

export function hasLongBody(socket: Socket): boolean {
  return allowed.has(socket);
}
