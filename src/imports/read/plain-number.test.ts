import { expect, test } from "vitest";
import { plainNumber } from "./plain-number.ts";

test.each([
  ["1200", "1200"],
  ["1,200", "1200"],
  ["1,234,567.50", "1234567.50"],
  ["1 200", "1200"],
  ["12 345 678", "12345678"],
  ["1'200", "1200"],
  ["1 234,56", "1234.56"],
  ["1.234,56", "1234.56"],
  ["3,5", "3.5"],
  ["0,00", "0.00"],
  ["1.234.567", "1234567"],
  ["12.50", "12.50"],
])("%s is %s", (text, number) => {
  expect(plainNumber(text)).toBe(number);
});

test.each(["1.200", "", "1,2,3", "1 23", "1,200 300", "12,3456", "1e5", "-5", "1.2.3", "12 points", "1.234,567"])(
  "%j is no number that can be read in one way only",
  (text) => {
    expect(plainNumber(text)).toBeUndefined();
  },
);

test("a point before three decimal places is clear where three are usual", () => {
  expect(plainNumber("1.250", { hasThreePlaces: true })).toBe("1.250");
});
