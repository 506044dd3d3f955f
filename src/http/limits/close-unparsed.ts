import type { Socket } from "node:net";

/** Node's parser of a connection: these two fields are what it calls and writes to. A parser that is used again gets new ones. */
interface Parser {
  onIncoming?: (() => number) | null;
  incoming?: unknown;
}

const STOP = 2; // what the parser takes as the beginning of another protocol

/**
 * Closes a connection and drops what it has sent. Destroying it is not enough: Node would parse the rest of the bytes it has read, 64 KB, and create
 * the objects of hundreds of requests, or of thousands of chunks, that nobody handles. The server's requests must be `NeverUpgraded`: for others Node
 * would take this for the beginning of another protocol, remove its listeners, and not end the connection's open requests.
 */
export function closeUnparsed(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null }; // cast: undocumented, and absent once the connection is closed
  if (parser) {
    parser.onIncoming = () => STOP;
    parser.incoming = null;
  }
  socket.destroy();
}
