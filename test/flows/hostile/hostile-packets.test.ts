import { type EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { basic, createClient } from "../../support/client.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
let authorization: string;
const uncaught: unknown[] = [];
const record = (error: unknown) => void uncaught.push(error);
/** Connections, requests and responses of the service that have not been closed. */
const open = new Set<string>();

beforeAll(async () => {
  process.on("uncaughtExceptionMonitor", record);
  const limits = { ...readConfig({}).limits, addressRate: 1_000_000, failureRate: 1_000_000 };
  service = await startTestService({ worker: false, config: { limits } });
  authorization = `authorization: ${basic(service.credential)}\r\n`;
  const { server } = service.app;
  let made = 0;
  const track = (name: string, closing: EventEmitter) => {
    const label = `${name} ${++made}`;
    open.add(label);
    closing.once("close", () => open.delete(label));
    return label;
  };
  const trackRequest = (request: IncomingMessage, response: ServerResponse) => {
    const label = track(`request ${request.method} ${request.url}`, request);
    track(`response ${request.method} ${request.url}`, response);
    request.once("close", () => {
      const isOver = request.readableEnded || request.errored !== null;
      if (request.listenerCount("data") > 0 && !isOver)
        open.add("a body that neither ended nor failed: it counts for ever");
    });
    // once it is answered, Node does not close one whose body nobody reads and whose rest never arrives
    response.once("close", () => void (request.listenerCount("data") === 0 && open.delete(label)));
  };
  server.on("connection", (socket) => track("connection", socket));
  server.on("request", trackRequest).on("checkExpectation", trackRequest);
});
afterAll(async () => {
  process.off("uncaughtExceptionMonitor", record);
  await service.stop();
});

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, "host: a", ...headers].join("\r\n")}\r\n\r\n`;
const CONNECT = head("CONNECT a:1");
const UPGRADE = head("GET /nope", "connection: upgrade", "upgrade: x");
const CHUNKED = "transfer-encoding: chunked";
const HEALTH = head("GET /health");
const inChunks = (path: string, chunks: number) =>
  `${head(`POST ${path}`, CHUNKED)}${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`;

/** Sends packets, each in a later turn of the event loop. Returns the answers once the connection is closed. */
async function send(packets: readonly string[], endsItsSide = false): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  let answers = "";
  socket.on("error", () => undefined); // the service may reset it
  socket.on("data", (data) => {
    answers += data;
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const packet of packets) {
    socket.write(packet, "latin1");
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
  if (endsItsSide) socket.end();
  await closed;
  return answers;
}

/** Expects that the process lives and that nothing is left of what was sent. */
async function expectUnharmed(): Promise<void> {
  const ready = await createClient(service.url, null).get("/ready", { connection: "close" });
  expect([ready.status, uncaught.splice(0)]).toEqual([200, []]);
  await waitUntil(() => open.size === 0, 60_000).catch(() => undefined);
  const left = [...open];
  open.clear();
  expect(left).toEqual([]);
}

describe("a body in very many small chunks ends its connection and nothing else", () => {
  for (const [after, packet] of Object.entries({ nothing: "", CONNECT, "an upgrade": UPGRADE })) {
    test(`with ${after} after it in the same packet`, async () => {
      expect(await send([inChunks("/nope", 4_500) + packet])).toMatch(/^(HTTP\/1\.1 40\d |$)/);
      await expectUnharmed();
    });
  }
});

test("a body that has each small event in one chunk and each comma in another is read", async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const event = chunk(JSON.stringify({ type: "OrderPaid", delivery_key: "d-10000", payload: { order_id: "A-10000" } }));
  const events = `${chunk("[")}${(event + chunk(",")).repeat(4_999)}${event}${chunk("]")}0\r\n\r\n`;
  const type = "content-type: application/json";
  const answer = await send([
    head("POST /intake/events", authorization.trim(), type, "connection: close", CHUNKED) + events,
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 422 /);
  expect(answer).toContain("expected at most 1000 events");
  await expectUnharmed();
});

test("CONNECT closes its connection, and the requests before it end although they are never answered", async () => {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  socket.write(HEALTH);
  await once(socket, "data"); // from now on the requests of the connection are handled as they arrive
  socket.write(head("GET /api/storefront/webhooks", authorization.trim()).repeat(3) + CONNECT);
  socket.on("error", () => undefined).resume();
  await once(socket, "close");
  await expectUnharmed();
});

const auth = () => authorization.trim();
const JSON_TYPE = "content-type: application/json";
const ALLOTMENTS = "POST /api/storefront/point_allotments";
/** Of these and their beginnings everything is made that is sent. */
const FRAGMENTS: readonly (() => string)[] = [
  () => HEALTH,
  () => head("GET /ready"),
  () => head("HEAD /nope"),
  () => head("GET /health", "connection: close"),
  () => "GET /health HTTP/1.0\r\n\r\n",
  () => head("GET /api/storefront/webhooks", auth()),
  () => head("GET /api/storefront/webhooks", auth()).repeat(6),
  () => head("GET /nope").repeat(40),
  () => `${head(ALLOTMENTS, auth(), JSON_TYPE, "content-length: 2")}{}`,
  () => `${head(ALLOTMENTS, auth(), JSON_TYPE, "content-length: 9000")}{`,
  () => `${head(ALLOTMENTS, auth(), JSON_TYPE, CHUNKED)}2\r\n{}\r\n0\r\n\r\n`,
  () => `${head("POST /nope", CHUNKED, "trailer: a")}2;x=y\r\n{}\r\n0\r\na: b\r\n\r\n`,
  () => `${head("POST /admin/api/session", "x-pointkeeper-request: dashboard", JSON_TYPE, CHUNKED)}5\r\n{"a":`,
  () => inChunks("/nope", 4_500),
  () => inChunks("/admin/api/session", 4_500),
  () => "1\r\nx\r\n".repeat(4_500),
  () => "0\r\n\r\n",
  () => "zz\r\n",
  () => CONNECT,
  () => `${head("CONNECT a:1", "content-length: 9")}abc`,
  () => `${head("CONNECT a:1", CHUNKED)}2\r\n{}\r\n`,
  () => head("CONNECT a:1", "expect: x"),
  () => UPGRADE,
  () => `${head("POST /nope", "connection: upgrade", "upgrade: h2c", "content-length: 9")}abc`,
  () => head("POST /nope", "expect: 100-continue", "content-length: 9"),
  () => head("GET /health", "expect: x"),
  () => head("GET /health", "host: b"),
  () => head("POST /nope", CHUNKED, "content-length: 9"),
  () => head("FOO /ready"),
  () => head("GET /%00"),
  () => head("GET /health", "x: y\r\n".repeat(9_000).trim(), "x: y\r\n".repeat(16_000).trim()),
  () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
  () => "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
  () => "\r\n\r\n",
  () => "\0\xff%",
];
const piece = fc.record({
  of: fc.nat(FRAGMENTS.length - 1),
  cut: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
});
const packet = fc.array(piece, { minLength: 1, maxLength: 5 });
const conversations = fc.array(fc.array(packet, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });

function textOf(pieces: readonly { readonly of: number; readonly cut: number }[]): string {
  return pieces
    .map(({ of, cut }) => {
      const text = FRAGMENTS[of]?.() ?? "";
      return text.slice(0, Math.ceil(text.length * cut));
    })
    .join("");
}

test("whatever is sent on a few connections at once, all of it ends and the service lives", async () => {
  await fc.assert(
    fc.asyncProperty(conversations, async (all) => {
      await Promise.all(all.map((packets) => send(packets.map(textOf), true)));
      await expectUnharmed();
    }),
    { numRuns: exampleRuns(100) },
  );
});
