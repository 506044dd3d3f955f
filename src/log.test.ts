import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { runInRequest, runOutsideRequests } from "./instruments/request-scope.ts";
import { createLog } from "./log.ts";

function logWith(options: { level: string; pretty?: boolean }) {
  const lines: string[] = [];
  const log = createLog({ pretty: false, ...options, write: (line) => void lines.push(line) });
  return { log, lines, parsed: (): unknown[] => lines.map((line) => JSON.parse(line)) };
}

test("writes one JSON object a line, from its least level on", () => {
  const { log, lines, parsed } = logWith({ level: "info" });
  log.debug({}, "no");
  log.info({ n: 1, big: 12345678901234567890n, deep: { big: [2n] }, none: undefined }, "100 %s d");
  log.error({ error: Object.assign(new TypeError("bad"), { code: "E1" }), err: new Error("worse") }, "failed");
  expect(lines.every((line) => line.endsWith("\n") && !line.slice(0, -1).includes("\n"))).toBe(true);
  expect(parsed()).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      message: "100 %s d",
      n: 1,
      big: "12345678901234567890",
      deep: { big: ["2"] },
    },
    expect.objectContaining({
      level: "error",
      message: "failed",
      error: { name: "TypeError", message: "bad", code: "E1", stack: expect.stringContaining("TypeError: bad") },
      err: { name: "Error", message: "worse", stack: expect.stringContaining("Error: worse") },
    }),
  ]);
});

test("writes nothing when silent", () => {
  const { log, lines } = logWith({ level: "silent" });
  log.error({}, "no");
  expect(lines).toEqual([]);
});

test("writes no secret that a caller passes by mistake", () => {
  const { log, lines } = logWith({ level: "debug" });
  log.warn({ password: "hidden-1", headers: { authorization: "hidden-2", host: "shown" } }, "odd");
  expect(lines.join("")).not.toContain("hidden");
  expect(lines.join("")).toContain("shown");
});

test("writes a pretty line with the stacks of errors below it", () => {
  const { log, lines } = logWith({ level: "debug", pretty: true });
  log.warn({ n: 1, error: new Error("bad") }, "odd");
  const line = stripVTControlCharacters(lines.join(""));
  expect(line).toMatch(/^[\d:.]{12} warn {2}odd \{"n":1\}\n {4}Error: bad\n {8}at /);
  expect(line.endsWith("\n")).toBe(true);
});

test("a pretty line has no control characters of an error for the terminal to obey", () => {
  const { log, lines } = logWith({ level: "debug", pretty: true });
  log.warn({ said: "a\u009b2J", error: new Error("\u001b]52;c;eA==\u0007") }, "odd");
  expect(lines.join("")).toContain("a\ufffd2J");
  expect(lines.join("")).toContain("Error: \ufffd]52;c;eA==\ufffd\n");
});

test("a flood of one warning becomes 20 lines and one that counts the others; other lines pass", () => {
  const lines: string[] = [];
  const counts = { debug: 0, info: 0, warn: 0, error: 0 };
  const log = createLog({ level: "info", pretty: false, write: (line) => void lines.push(line), lines: counts });
  for (let n = 0; n < 1_000; n++) log.warn({ n }, "again");
  for (let n = 0; n < 30; n++) log.info({ n }, "request");
  log.error({}, "another");
  log.debug({}, "not written, and counted");
  const messages = () => lines.map((line) => JSON.parse(line).message);
  expect(messages()).toEqual([...Array(20).fill("again"), ...Array(30).fill("request"), "another"]);
  expect(counts).toEqual({ debug: 1, info: 30, warn: 1_000, error: 1 });
  log.close();
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ level: "warn", message: "again", more: 980 });
  log.warn({}, "again");
  expect(messages().slice(51)).toEqual(["again", "again"]);
});

test("with the level debug every line of a flood is written", () => {
  const { log, lines } = logWith({ level: "debug" });
  for (let n = 0; n < 100; n++) log.warn({}, "again");
  expect(lines).toHaveLength(100);
});

test("a line of a request has its id, one of shared work has none", () => {
  const { log, parsed } = logWith({ level: "info" });
  runInRequest({ id: "abc", span: null }, () => {
    log.info({}, "in");
    runOutsideRequests(() => log.info({}, "out"));
  });
  expect(parsed()).toEqual([
    expect.objectContaining({ message: "in", requestId: "abc" }),
    expect.not.objectContaining({ requestId: expect.anything() }),
  ]);
});
