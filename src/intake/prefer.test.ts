import { expect, test } from "vitest";
import { preferredWaitS, WAIT_MAX_S } from "./prefer.ts";

test.each([
  [undefined, 0],
  ["", 0],
  ["wait=10", 10],
  ["Wait = 10", 10],
  ['respond-async, wait="5"; strict', 5],
  [["respond-async", "wait=7"], 7],
  ["wait=3600", WAIT_MAX_S],
  ["wait=-1", 0],
  ["wait=ten", 0],
  ["await=10", 0],
  ["return=minimal", 0],
])("%j: %i seconds", (header, seconds) => {
  expect(preferredWaitS(header)).toBe(seconds);
});
