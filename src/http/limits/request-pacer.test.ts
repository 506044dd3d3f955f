import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { guardConnections } from "./connection-guard.ts";
import { paceRequests } from "./request-pacer.ts";

const OTHERS = Array.from({ length: 100 }, (_, n) => `/${n}`);
let server: Server;
let sockets: Socket[];
let handled: string[];

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("an urgent request is handled before first requests that were sent earlier", async () => {
  await listen();
  const others = await open(OTHERS.length);
  const [urgent] = await open(1);
  await send([...others, urgent], [...OTHERS, "/urgent"]);
  expect(handled.indexOf("/urgent")).toBeLessThan(OTHERS.length);
  expect(handled.toSorted()).toEqual([...OTHERS, "/urgent"].toSorted());
});

test("a connection that was answered once waits no more", async () => {
  await listen();
  const others = await open(OTHERS.length);
  const [used] = await open(1);
  await send([used], ["/first"]);
  await send([...others, used], [...OTHERS, "/second"]);
  expect(handled.indexOf("/second")).toBeLessThan(OTHERS.length);
  expect(handled).toHaveLength(OTHERS.length + 2);
});

test("a request whose connection was closed while it waited is never handled", async () => {
  await listen();
  server.on("request", (request) => {
    if (request.url === "/gone") request.socket.destroy();
  });
  const [gone] = await open(1);
  const others = await open(OTHERS.length);
  await send([gone, ...others], ["/gone", ...OTHERS]);
  expect(handled.toSorted()).toEqual(OTHERS.toSorted());
});

async function listen(): Promise<void> {
  handled = [];
  sockets = [];
  server = createServer((request, response) => {
    handled.push(request.url ?? "");
    response.end();
  });
  guardConnections(server, { connections: 1_000, connectionsPerAddress: 0 });
  paceRequests(server, (path) => path === "/urgent");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function open(count: number): Promise<Socket[]> {
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const opened = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  sockets.push(...opened);
  await Promise.all(opened.map((socket) => once(socket, "connect")));
  return opened;
}

/** Sends one request on each connection and waits for the answers, or for the ends of connections. */
async function send(to: readonly (Socket | undefined)[], paths: readonly string[]): Promise<void> {
  const ends = to.map((socket, n) => {
    socket?.write(`GET ${paths[n]} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return new Promise((resolve) => socket?.once("data", resolve).once("close", resolve));
  });
  await Promise.all(ends);
}
