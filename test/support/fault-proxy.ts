import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { asyncListener } from "./async-listener.ts";

/**
 * The fault of one request: its response is lost after the service has handled it, or breaks in the middle, the proxy responds instead, or there
 * is no response.
 */
export type Fault =
  | "lose the answer"
  | "cut the answer"
  | "never answer"
  | { readonly status: number; readonly retryAfter: string; readonly body?: string };

/** A proxy between a client and the service; each of the next requests gets one of the `faults`, and later ones pass. */
export interface FaultProxy {
  readonly url: string;
  readonly faults: Fault[];
  /** The Idempotency-Key of each request, in order. */
  readonly keys: (string | undefined)[];
  close(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults: Fault[] = [];
  const keys: (string | undefined)[] = [];
  const listener = asyncListener(async (request, response) => {
    keys.push(request.headers["idempotency-key"]?.toString());
    const fault = faults.shift();
    if (fault === "never answer") return;
    if (typeof fault === "object") {
      response.writeHead(fault.status, { "retry-after": fault.retryAfter }).end(fault.body ?? '{"errors":[]}');
      return;
    }
    await forward(target, request, response, fault);
  });
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // cast: a TCP server that listens has one
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}`, faults, keys, close };
}

async function forward(target: string, request: IncomingMessage, response: ServerResponse, fault: string | undefined) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const { host: _host, connection: _connection, ...headers } = request.headers;
  const answer = await fetch(target + request.url, {
    method: request.method ?? "GET",
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(pieces.length === 0 ? {} : { body: Buffer.concat(pieces) }),
  });
  const text = await answer.text();
  if (fault === "lose the answer") return void response.destroy();
  response.writeHead(answer.status, { "content-type": "application/json" });
  if (fault === "cut the answer") response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
}
