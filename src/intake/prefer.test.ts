import { expect, test } from "vitest";
import { preferredWaitS, prefersStrict, WAIT_MAX_S } from "./prefer.ts";

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
  ["wait=x, wait=20", 0],
  ["wait=3, wait=20", 3],
])("%j: %i seconds", (header, seconds) => {
  expect(preferredWaitS(header)).toBe(seconds);
});

test.each([
  [undefined, false],
  ["handling=strict", true],
  ['wait=5, Handling = "STRICT"; a=b', true],
  ["handling=lenient", false],
  ["handling=lenient, handling=strict", false],
  ["handling=strict, handling=lenient", true],
])("%j: strict %j", (header, isStrict) => {
  expect(prefersStrict(header)).toBe(isStrict);
});
