import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refuseSmallChunks } from "./small-chunks.ts";

let server: Server;
let refused: string[];
/** The length of each body that was read to its end. */
let read: number[];

beforeEach(async () => {
  [refused, read] = [[], []];
  server = createServer((request, response) => {
    if (request.url === "/unread") return void response.writeHead(404).end();
    let length = 0;
    request.on("data", (bytes: Buffer) => {
      length += bytes.length;
    });
    request.on("end", () => {
      read.push(length);
      response.end();
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refused.push(String(error.code));
    socket.destroy();
  });
  refuseSmallChunks(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => void server.close());

/** Sends a body in so many chunks of so many bytes each, and waits until the server closes the connection. */
async function send(path: string, chunks: number, bytes: number): Promise<string> {
  const { port } = server.address() as AddressInfo; // cast: it listens on a port, not on a path
  const client = connect(port, "127.0.0.1").on("error", () => undefined); // the server may reset it
  let answer = "";
  client.on("data", (data) => {
    answer += data;
  });
  client.write(`POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
  client.write(`${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`.repeat(chunks));
  client.write("0\r\n\r\n");
  await closed(client);
  return answer.split("\r\n", 1)[0] ?? "";
}

const closed = (client: Socket) => new Promise((resolve) => client.once("close", resolve));

test("a body in very many small chunks ends its connection", async () => {
  await send("/", 100_000, 1);
  expect([refused, read]).toEqual([["ERR_SMALL_CHUNKS"], []]);
});

test("and so does one that is not read, which a client keeps sending after its answer", async () => {
  const { port } = server.address() as AddressInfo; // cast: it listens on a port, not on a path
  const client = connect(port, "127.0.0.1").on("error", () => undefined); // the server resets it
  client.write("POST /unread HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
  await once(client, "data");
  client.write("1\r\nx\r\n".repeat(4_096));
  client.write("1\r\nx\r\n");
  await closed(client);
  expect(refused).toEqual(["ERR_SMALL_CHUNKS"]);
});

test("a few small chunks and many larger ones are read", async () => {
  expect(await send("/", 4_000, 1)).toBe("HTTP/1.1 200 OK");
  expect(await send("/", 20_000, 200)).toBe("HTTP/1.1 200 OK");
  expect([refused, read]).toEqual([[], [4_000, 4_000_000]]);
});
