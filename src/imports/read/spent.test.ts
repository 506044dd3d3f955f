import { expect, test } from "vitest";
import { spentOf } from "./spent.ts";

test.each([
  ["1.200", "EUR"],
  ["€ 12.000", "EUR"],
  ["1.000", "JPY"],
])("%s %s may be thousands or a fraction, and is not guessed", (text, currency) => {
  expect(spentOf(text, currency)).toBe("spent_unclear");
});

test.each([
  ["1,200", "EUR", 120_000n],
  ["1200.50", "EUR", 120_050n],
  ["1.20", "EUR", 120n],
  ["0.000", "EUR", 0n],
  ["1.200", "KWD", 1_200n],
  ["12000円", "JPY", 12_000n],
  ["1.234,56 €", "EUR", 123_456n],
  ["1234,5", "EUR", 123_450n],
  ["CHF 1'234.50", "CHF", 123_450n],
  ["", "EUR", null],
])("%s %s can only be %s", (text, currency, minor) => {
  expect(spentOf(text, currency)).toBe(minor);
});
