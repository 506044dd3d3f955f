import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
const uncaught: unknown[] = [];
const record = (error: unknown) => void uncaught.push(error);

beforeAll(async () => {
  process.on("uncaughtExceptionMonitor", record);
  service = await startTestService({ worker: false });
});
afterAll(async () => {
  process.off("uncaughtExceptionMonitor", record);
  await service.stop();
});
beforeEach(() => void uncaught.splice(0));

const CONNECT = "CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n";
const UPGRADE = "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
const inChunks = (path: string, chunks: number) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`;

/** Sends one packet and waits until the service has closed the connection. Returns what it answered. */
async function send(packet: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  let answer = "";
  socket.on("error", () => undefined); // the service may reset it
  socket.on("data", (data) => {
    answer += data;
  });
  socket.write(packet);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

async function expectUnharmed(): Promise<void> {
  expect((await createClient(service.url, null).get("/ready")).status).toBe(200);
  expect(uncaught).toEqual([]);
}

describe("a body in very many small chunks ends its connection and nothing else", () => {
  for (const [after, packet] of Object.entries({ nothing: "", CONNECT, "an upgrade": UPGRADE })) {
    test(`with ${after} after it in the same packet`, async () => {
      expect(await send(inChunks("/nope", 4_500) + packet)).toMatch(/^(HTTP\/1\.1 40\d |$)/);
      await expectUnharmed();
    });
  }
});
