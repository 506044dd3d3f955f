import { expect, test } from "vitest";
import { preferenceOf } from "./preference-of.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["x-wait=1, await=2", undefined],
  ["Wait = 10 ; a=b", "10"],
  ['respond-async, wait="5"; strict', "5"],
  [["respond-async", "wait=7"], "7"],
  ["wait=x, wait=20", "x"],
  ["wait, wait=20", ""],
  ['other="a, wait=5", wait=6', "6"],
  ['other="open, wait=6', "6"],
])("%j has wait %j", (header, value) => {
  expect(preferenceOf(header, "wait")).toBe(value);
});
