import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { type ConnectionGuard, guardConnections } from "./connection-guard.ts";
import { paceRequests } from "./request-pacer.ts";

const LARGE = Buffer.alloc(16 * 1_048_576);
const HUGE = Buffer.alloc(64 * 1_048_576);
let server: Server;
let guard: ConnectionGuard;
let waiting: ServerResponse[];
let clients: Socket[];

beforeEach(async () => {
  [waiting, clients] = [[], []];
  server = createServer((request, response) => {
    if (request.url === "/large") response.end(LARGE);
    else if (request.url === "/huge") response.end(HUGE);
    else waiting.push(response);
  });
  guard = guardConnections(server, { connections: 3, connectionsPerAddress: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  for (const client of clients) client.destroy();
  server.close();
});

/** A client that sends a request and reads nothing of its answer. */
async function ask(path: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo; // cast: it listens on a port, not on a path
  const client = connect(port, "127.0.0.1");
  clients.push(client);
  client.on("error", () => undefined); // the server may reset it
  await once(client, "connect");
  client.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  return client;
}

/** The same, once its machine has taken as much of the large answer as it has room for. */
async function askUnread(): Promise<Socket> {
  const client = await ask("/large");
  await once(client, "readable");
  return client;
}

test("where nobody is silent, the one that does not take its answer makes room, not those that wait for theirs", async () => {
  await ask("/wait");
  const unread = await askUnread();
  await ask("/wait");
  await waitUntil(() => waiting.length === 2);
  await ask("/wait");
  await once(unread.resume(), "close");
  await waitUntil(() => waiting.length === 3);
  const more = await ask("/wait");
  await once(more.resume(), "close");
  expect(waiting.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
});

test("an answer that its client is still reading is sent to its end while the server stops, and idle connections are closed", async () => {
  const idle = await ask("/wait");
  await waitUntil(() => waiting.length === 1);
  waiting[0]?.end();
  await once(idle, "readable");
  const reads = await askUnread();
  await waitUntil(() => waiting[0]?.closed === true);
  server.close();
  server.closeIdleConnections();
  await once(idle.resume(), "close");
  let received = 0;
  for await (const bytes of reads) {
    received += bytes.length;
    if (received >= LARGE.length) break;
  }
  expect(received).toBeGreaterThanOrEqual(LARGE.length);
});

test("a stopping server closes the connections whose answers are not taken, and no other", async () => {
  const [unread, waits] = [await askUnread(), await ask("/wait")];
  await waitUntil(() => waiting.length === 1);
  guard.closeStalled();
  expect(unread.destroyed).toBe(false);
  guard.closeStalled();
  await once(unread.resume(), "close");
  waiting[0]?.end("late");
  await once(waits, "readable");
  expect(String(waits.read())).toContain("late");
});

test("a stopping server does not close a connection whose client takes its answer slowly", async () => {
  const reads = await ask("/huge");
  let received = 0;
  for await (const bytes of reads) {
    received += bytes.length;
    // after the first piece, and when much more was sent than any buffer of the system holds
    if (received === bytes.length || (received > HUGE.length / 2 && received - bytes.length <= HUGE.length / 2))
      guard.closeStalled();
    if (received >= HUGE.length) break;
  }
  expect(received).toBeGreaterThanOrEqual(HUGE.length);
});

test("a stopping server closes the connections whose requests have no whole head, and in the end those whose bodies do not come", async () => {
  const { port } = server.address() as AddressInfo; // cast: it listens on a port, not on a path
  const begin = async (text: string) => {
    const client = connect(port, "127.0.0.1").on("error", () => undefined); // the server may reset it
    clients.push(client);
    await once(client, "connect");
    client.write(text);
    return client;
  };
  const half = await begin("GET /wait HTTP/1.1\r\nhost: a\r\n");
  const sends = await begin("PUT /wait HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{");
  await waitUntil(() => waiting.length === 1);
  const closed = new Promise((resolve) => server.close(resolve));
  guard.closeStalled();
  guard.closeStalled();
  await once(half.resume(), "close");
  expect(waiting[0]?.destroyed).toBe(false);
  guard.closeAll();
  await once(sends.resume(), "close");
  await closed;
});

test("of requests that a connection sends without waiting, four are handled at once, and the others in order", async () => {
  paceRequests(server, () => false);
  const paths = ["/1", "/2", "/3", "/4", "/5", "/6"];
  const client = await ask(paths.join(" HTTP/1.1\r\nhost: a\r\n\r\nGET "));
  await waitUntil(() => waiting.length >= 4);
  await ask("/other");
  await waitUntil(() => waiting.some(({ req }) => req.url === "/other"));
  expect(waiting.map(({ req }) => req.url)).toEqual(["/1", "/2", "/3", "/4", "/other"]);
  waiting[0]?.end();
  await waitUntil(() => waiting.length > 5);
  expect(waiting.at(-1)?.req.url).toBe("/5");
  client.destroy();
  await waitUntil(() => waiting[1]?.destroyed === true);
  expect(waiting).toHaveLength(6);
});

test("a connection that sends very many requests without waiting is closed, and no other", async () => {
  paceRequests(server, () => false);
  let parsed = 0;
  server.on("request", () => {
    parsed++;
  });
  const many = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);
  const joined = (paths: readonly string[]) => paths.join(" HTTP/1.1\r\nhost: a\r\n\r\nGET ");
  const patient = await ask(joined(many(32)));
  await waitUntil(() => waiting.length === 4);
  const flood = await ask(joined(many(5_000)));
  await new Promise((resolve) => flood.resume().once("close", resolve)); // with an error: it is reset
  expect(waiting.length).toBeLessThanOrEqual(8);
  expect(parsed).toBeLessThan(300); // the others of the same packet are dropped
  for (let answered = 0; answered < 32; answered++) {
    await waitUntil(() => waiting.some(({ destroyed, writableEnded }) => !destroyed && !writableEnded));
    waiting.find(({ destroyed, writableEnded }) => !destroyed && !writableEnded)?.end();
  }
  expect(patient.destroyed).toBe(false);
});
