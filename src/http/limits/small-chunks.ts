import type { IncomingMessage, Server } from "node:http";
import { closeUnparsed } from "./close-unparsed.ts";

/** So many chunks of a body are accepted however small they are. */
const ANY_SIZE_CHUNKS = 4_096;
/** A client that sends one small element of a list in each chunk, and each comma in another, is above it. */
const MEAN_BYTES_MIN = 32;

/** The code of the error that the server's `clientError` gets. */
export const SMALL_CHUNKS = "ERR_SMALL_CHUNKS";
export const SMALL_CHUNKS_DETAIL = `expected chunks of at least ${MEAN_BYTES_MIN} bytes on average: larger ones, or content-length`;

/**
 * Ends requests whose body arrives in very many very small chunks. Node handles each chunk by itself, and up to two megabytes of them in one turn of
 * the event loop: with a byte in each that takes a second, also where the body is not read because the request was refused.
 */
export function refuseSmallChunks(server: Server): void {
  server.prependListener("request", (request: IncomingMessage) => {
    if (request.headers["transfer-encoding"] !== undefined) countChunks(server, request);
  });
}

function countChunks(server: Server, request: IncomingMessage): void {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(chunk, encoding);
    if (request.socket.destroyed) return false;
    chunks++;
    bytes += chunk.length;
    if (chunks <= ANY_SIZE_CHUNKS || bytes >= chunks * MEAN_BYTES_MIN) return push(chunk, encoding);
    const error = Object.assign(new Error(SMALL_CHUNKS_DETAIL), { code: SMALL_CHUNKS });
    server.emit("clientError", error, request.socket);
    closeUnparsed(request.socket);
    return false;
  };
  // Node's own lets the chunks of a body that nobody reads go uncounted
  Object.assign(request, { _dump: () => void request.resume() });
}
