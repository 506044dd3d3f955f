import { expect, test } from "vitest";
import { pointsOf } from "./member-values.ts";

test.each(["1.200", "1.000", "12.000", "１.０００"])(
  "%s may be thousands or a fraction, and is not guessed",
  (text) => {
    expect([pointsOf(text, false), pointsOf(text, true)]).toEqual(["points_not_integer", "points_not_integer"]);
  },
);

test.each([
  ["1,200", 1_200n],
  ["1,200.000", 1_200n],
  ["1200.000", 1_200n],
  ["0.000", 0n],
  ["120.00", 120n],
])("%s can only be %d", (text, points) => {
  expect(pointsOf(text, false)).toBe(points);
});
