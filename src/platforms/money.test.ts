import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exponent, formatMajor, MONEY_MAX, parseMajor } from "./money.ts";

const CURRENCIES = ["JPY", "USD", "BHD", "CLF"];

test.each([
  ["23600", "JPY", 23600n],
  ["0.0", "JPY", 0n],
  ["0.5", "JPY", null],
  ["12.5", "USD", 1250n],
  ["12.500", "USD", 1250n],
  ["16.486", "USD", null],
  ["16.486", "BHD", 16486n],
  ["-5.00", "USD", -500n],
  ["-0.00", "USD", 0n],
  ["1.2345", "CLF", 12345n],
  ["1e3", "USD", null],
  ["", "USD", null],
  [".5", "USD", null],
  ["1,000", "USD", null],
  [" 1", "USD", null],
  ["example string", "USD", null],
  ["90071992547409.91", "USD", MONEY_MAX],
  ["90071992547409.92", "USD", null],
])("%s %s is %s minor units", (text, currency, minor) => {
  expect(parseMajor(text, currency)).toBe(minor);
});

test.each([
  [1250n, "JPY", "1250"],
  [1250n, "USD", "12.50"],
  [1250n, "BHD", "1.250"],
  [5n, "BHD", "0.005"],
  [-5n, "USD", "-0.05"],
  [0n, "USD", "0.00"],
])("%s of %s reads %s", (minor, currency, text) => {
  expect(formatMajor(minor, currency)).toBe(text);
});

describe("properties", () => {
  const amount = fc.bigInt({ min: -MONEY_MAX, max: MONEY_MAX });
  const currency = fc.constantFrom(...CURRENCIES);

  test("what is written is read again, with zeros behind it too", () => {
    fc.assert(
      fc.property(amount, currency, fc.nat(5), (minor, code, zeros) => {
        const text = formatMajor(minor, code);
        const longer = `${text}${exponent(code) === 0 && zeros > 0 ? "." : ""}${"0".repeat(zeros)}`;
        expect(parseMajor(text, code)).toBe(minor);
        expect(parseMajor(longer, code)).toBe(minor);
      }),
    );
  });

  test("a digit below the smallest unit is refused", () => {
    fc.assert(
      fc.property(amount, currency, fc.integer({ min: 1, max: 9 }), (minor, code, digit) => {
        const point = exponent(code) === 0 ? "." : "";
        expect(parseMajor(`${formatMajor(minor, code)}${point}${digit}`, code)).toBeNull();
      }),
    );
  });
});
