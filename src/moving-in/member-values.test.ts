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
  ["1 200", 1_200n],
  ["1\u00a0200", 1_200n],
  ["1\u202f200", 1_200n],
  ["1'200", 1_200n],
  ["1.234.567", 1_234_567n],
  ["120,00", 120n],
  ["+5", 5n],
  ["-0", 0n],
])("%s can only be %d", (text, points) => {
  expect(pointsOf(text, false)).toBe(points);
});

test.each(["-5", "−5", "▲1,200", "-1.5"])("%s is a negative balance", (text) => {
  expect(pointsOf(text, false)).toBe("balance_negative");
});

test("decimal places become the next whole number where the app has them", () => {
  expect([pointsOf("3,56", true), pointsOf("3.56", true), pointsOf("3,00", true)]).toEqual([4n, 4n, 3n]);
  expect(pointsOf("3,56", false)).toBe("points_not_integer");
});
