import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { asyncListener } from "./async-listener.ts";

/** One received request. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By the machine's clock, since an arbitrary start. */
  readonly atMs: number;
  /** The port of its connection: equal numbers mean the same connection. */
  readonly port: number;
}

/** The response to a request: a status, or a function of the response; "hang" leaves it open. */
export type Answer = number | "hang" | ((response: ServerResponse) => void);

/** A real HTTP receiver on loopback that stores what it receives. */
export interface TestReceiver {
  readonly url: string;
  readonly port: number;
  readonly arrivals: Arrival[];
  /** The response from now on. */
  answer: (arrival: Arrival) => Answer | Promise<Answer>;
  /** The maximum number of requests that were open at once. */
  openMax: number;
  /** The number of connections, whatever was sent on them. */
  connections: number;
  close(): Promise<void>;
}

/** Starts a receiver; it answers 200 unless changed. `port` 0 takes a free one. */
export async function startReceiver(port = 0): Promise<TestReceiver> {
  const arrivals: Arrival[] = [];
  let open = 0;
  const listener = asyncListener(async (request, response) => {
    open += 1;
    receiver.openMax = Math.max(receiver.openMax, open);
    response.once("close", () => {
      open -= 1;
    });
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const arrival: Arrival = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(pieces).toString("utf8"),
      atMs: performance.now(),
      port: request.socket.remotePort ?? 0,
    };
    arrivals.push(arrival);
    reply(response, await receiver.answer(arrival));
  });
  const server = createServer(listener);
  server.on("connection", () => {
    receiver.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo; // cast: a TCP server that listens has one
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${address.port}/hook?shop=1`,
    port: address.port,
    arrivals,
    answer: () => 200,
    openMax: 0,
    connections: 0,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}

function reply(response: ServerResponse, answer: Answer): void {
  if (answer === "hang") return;
  if (typeof answer === "function") answer(response);
  else response.writeHead(answer, answer === 302 ? { location: "/elsewhere" } : {}).end(answer === 204 ? "" : "thanks");
}
