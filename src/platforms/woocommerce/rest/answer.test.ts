import { expect, test } from "vitest";
import { readWooAnswer } from "./answer.ts";

test.each([
  ["2", 2_000],
  ["0.05", 50],
  ["90", 60_000],
  ["Mon, 02 Mar 2026 10:00:30 GMT", 30_000],
  ["Mon, 02 Mar 2026 09:00:00 GMT", 1_000],
  ["Mon, 02 Mar 2026 23:00:00 GMT", 60_000],
  ["0", 1_000],
  ["soon", 1_000],
  [undefined, 1_000],
])("a store that answers 429 with Retry-After %s is asked again after %i ms", (retryAfter, waitMs) => {
  const receivedMs = Date.parse("2026-03-02T10:00:00Z");
  const answer = { status: 429, retryAfter, receivedMs, total: undefined, body: "Too Many Requests" };
  expect(readWooAnswer(answer)).toEqual({ kind: "throttled", waitMs });
});
