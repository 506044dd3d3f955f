import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlainReader } from "./plain-request.ts";

const PATH = "/api/storefront/point_allotments";
const BODY = '{"customer_id":"7","point_value":5}';

interface Read {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let read: Read[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const end = (pieces: Buffer[]) => {
      const body = Buffer.concat(pieces).toString("latin1");
      read.push({ url: request.url, headers: request.headers, body });
      response.end();
    };
    request.toArray().then(end, () => response.destroy()); // a body that is cut is no request
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** What Node's own parser makes of bytes that are all that a connection sends. */
async function readByNode(bytes: Buffer): Promise<Read[]> {
  read = [];
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.end(bytes);
  socket.resume();
  await once(socket, "close");
  return read;
}

const lineOf = ([name, value]: readonly [string, string]) => `${name}: ${value}\r\n`;
const text = (headers: readonly (readonly [string, string])[], body = BODY, line = `POST ${PATH} HTTP/1.1`) =>
  Buffer.from(`${line}\r\n${headers.map(lineOf).join("")}\r\n${body}`, "latin1");
const USUAL = [
  ["host", "store.example"],
  ["Authorization", "Basic cGs6c2VjcmV0"],
  ["Content-Type", "application/json"],
  ["Content-Length", String(BODY.length)],
] as const;
const usualBut = (name: string, value: string) =>
  USUAL.map((header) => (header[0].toLowerCase() === name ? ([header[0], value] as const) : header));
const isTaken = (bytes: Buffer) => createPlainReader((path) => path === PATH)(bytes) !== null;

test("the requests of usual clients are plain", () => {
  expect(isTaken(text(USUAL))).toBe(true);
  const more = [
    ["connection", "keep-alive"],
    ["accept", "*/*"],
    ["accept-encoding", "gzip, deflate"],
    ["user-agent", "node"],
    ["idempotency-key", "a b"],
    ["x-request-id", "7f3b"],
  ] as const;
  expect(isTaken(text([...USUAL, ...more]))).toBe(true);
  expect(isTaken(text(usualBut("content-type", "application/json; charset=UTF-8")))).toBe(true);
});

test.each([
  ["another path", text(USUAL, BODY, `POST ${PATH}/ HTTP/1.1`)],
  ["a query", text(USUAL, BODY, `POST ${PATH}?a=1 HTTP/1.1`)],
  ["another method", text(USUAL, BODY, `PUT ${PATH} HTTP/1.1`)],
  ["an older version", text(USUAL, BODY, `POST ${PATH} HTTP/1.0`)],
  ["a second space", text(USUAL, BODY, `POST  ${PATH} HTTP/1.1`)],
  ["no host", text(USUAL.slice(1))],
  ["a header twice", text([...USUAL, ["host", "other.example"]])],
  ["its length twice", text([...USUAL, ["content-length", String(BODY.length)]])],
  ["chunks", text([...USUAL, ["transfer-encoding", "chunked"]])],
  ["a coding", text([...USUAL, ["content-encoding", "gzip"]])],
  ["an expectation", text([...USUAL, ["expect", "100-continue"]])],
  ["an upgrade", text([...USUAL, ["connection", "upgrade"]])],
  ["its last request", text([...USUAL, ["connection", "close"]])],
  ["a space before the colon", text([...USUAL, ["x-a ", "b"]])],
  ["a folded header", text([...USUAL, ["x-a", "b\r\n c"]])],
  ["a bare line feed", text([...USUAL, ["x-a", "b\nx-b: c"]])],
  ["a zero byte", text([...USUAL, ["x-a", "b\0"]])],
  ["a byte beyond ASCII", text([...USUAL, ["x-a", "\xff"]])],
  ["another type", text(usualBut("content-type", "text/plain"))],
  ["a length with a sign", text(usualBut("content-length", `+${BODY.length}`))],
  ["no body", text(usualBut("content-length", "0"), "")],
  ["more than its body", text(USUAL, `${BODY}POST`)],
  ["less than its body", text(USUAL, BODY.slice(1))],
  ["half a head", text(USUAL).subarray(0, 60)],
  ["more than 16 KB", text([...USUAL, ["x-a", "b".repeat(16_384)]])],
])("%s is not plain", (_what, bytes) => {
  expect(isTaken(bytes)).toBe(false);
});

test("a head of more headers than Node's parser keeps is not plain", async () => {
  const many = Array.from({ length: 1_500 }, (_, i) => [`h${i}`, "1"] as const);
  const bytes = text([...USUAL, ...many, ["idempotency-key", "a"]]);
  const [byNode] = await readByNode(bytes);
  expect(byNode?.headers["idempotency-key"]).toBeUndefined();
  expect(isTaken(bytes)).toBe(false);
});

const piece = fc.constantFrom(
  ...["\r\n", "\n", "\r", " ", "\t", ":", ": ", "\0", "\x7f", "\xff", ",", ";", "0", "1", "a", "chunked", "POST "],
  ...["host", "content-length: 1", "transfer-encoding: chunked", "connection: close", "HTTP/1.1", "__proto__: 1"],
);
const damage = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(3), piece }), {
  maxLength: 2,
});

test("what is taken for plain is what Node's parser reads: the same path, headers and body, and nothing more", async () => {
  const more = fc.array(fc.tuple(fc.constantFrom("accept", "x-a", "X-B", "prefer"), fc.string({ maxLength: 8 })));
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(more, damage, async (headers, damages) => {
      let sent = text([...USUAL, ...headers]).toString("latin1");
      for (const { at, cut, piece: put } of damages) {
        const from = Math.floor(at * sent.length);
        sent = sent.slice(0, from) + put + sent.slice(from + cut);
      }
      const bytes = Buffer.from(sent, "latin1");
      const plain = createPlainReader((path) => path === PATH)(bytes);
      if (plain === null) return;
      taken += 1;
      const body = plain.bodyBytes.toString("latin1");
      expect(await readByNode(bytes)).toEqual([{ url: plain.path, headers: { ...plain.headers }, body }]);
    }),
    { numRuns: 3_000 },
  );
  expect(taken).toBeGreaterThan(100);
});

test("a head that was read before stands for the same head alone", () => {
  const next = createPlainReader((path) => path === PATH);
  const keyed = (key: string, body = BODY) => text([...USUAL, ["idempotency-key", key]], body);
  expect(next(keyed("a"))?.headers["idempotency-key"]).toBe("a");
  expect(next(keyed("a", BODY.replace("5", "6")))?.bodyBytes.toString()).toContain(":6}");
  expect(next(keyed("b"))?.headers["idempotency-key"]).toBe("b");
  expect(next(keyed("b", `${BODY} `))).toBeNull();
});
