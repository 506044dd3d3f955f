import { IncomingMessage, type Server } from "node:http";
import { closeUnparsed } from "./close-unparsed.ts";

/**
 * A request that Node never takes for the beginning of another protocol, not even CONNECT: for that it would remove its listeners of the connection,
 * and the requests that were sent before on the same connection would neither be answered nor end.
 */
export class NeverUpgraded extends IncomingMessage {
  get upgrade(): boolean {
    return false;
  }

  /** Node's parser and its server set it for every request. */
  set upgrade(_isUpgrade: boolean) {}
}

/** Closes a connection that sends CONNECT, without a response. Its other requests end as when a client closes the connection. */
export function closeOnConnect(server: Server): void {
  server.prependListener("request", ({ method, socket }) => {
    if (method === "CONNECT") closeUnparsed(socket);
  });
}
