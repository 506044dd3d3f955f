import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false });
});

afterAll(() => service.stop());

test.each([
  ["an unreadable head", "NONSENSE\r\n\r\n", 400, "bad_request"],
  ["no Host", "GET /health HTTP/1.1\r\n\r\n", 400, "bad_request"],
  ["an expectation", "GET /health HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417, "expectation_failed"],
  [
    "a head that is too large",
    `GET /health HTTP/1.1\r\nHost: a\r\nx: ${"y".repeat(140_000)}\r\n\r\n`,
    431,
    "headers_too_large",
  ],
])("%s is refused with a code", async (_name, text, status, code) => {
  const { hostname, port } = new URL(service.url);
  const answer = await new Promise<string>((resolve, reject) => {
    let got = "";
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
    socket.on("data", (piece) => {
      got += piece.toString();
      if (/\r\n\r\n.*\}$/s.test(got)) {
        socket.destroy();
        resolve(got);
      }
    });
    socket.on("error", reject);
  });
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(answer.slice(answer.indexOf("{"))).errors[0]).toMatchObject({ status: String(status), code });
});
