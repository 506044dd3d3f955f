import type { Socket } from "node:net";

const allowed = new WeakSet<Socket>();

/** Lets the request that a connection sends now take longer than requests may, while a byte comes every `idleMs`. */
export function allowLongBody(socket: Socket, idleMs: number): void {
  allowed.add(socket);
  socket.setTimeout(idleMs);
}

/** Ends that with the request's body. */
export function endLongBody(socket: Socket): void {
  allowed.delete(socket);
  socket.setTimeout(0);
}

export function hasLongBody(socket: Socket): boolean {
  return allowed.has(socket);
}
