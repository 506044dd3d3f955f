import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let authorization: string;
const uncaught: unknown[] = [];
const record = (error: unknown) => void uncaught.push(error);
/** Connections, requests and responses of the service that have not been closed. */
const open = new Set<string>();

beforeAll(async () => {
  process.on("uncaughtExceptionMonitor", record);
  service = await startTestService({ worker: false });
  authorization = `authorization: ${basic(service.credential)}\r\n`;
  const { server } = service.app;
  let made = 0;
  const track = (name: string, closing: NodeJS.EventEmitter) => {
    const label = `${name} ${++made}`;
    open.add(label);
    closing.once("close", () => open.delete(label));
  };
  const trackRequest = (request: IncomingMessage, response: ServerResponse) => {
    track(`request ${request.method} ${request.url}`, request);
    track(`response ${request.method} ${request.url}`, response);
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
  expect([ready.status, uncaught]).toEqual([200, []]);
  await waitUntil(() => open.size === 0, 10_000).catch(() => expect([...open]).toEqual([]));
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
