import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalText, minorOf, moneyText, signedOf, wholeOf, wholeText } from "./typed-number.ts";

describe("money as it is typed", () => {
  test("is exact, and comes back as it was", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom(0, 2, 3), (minor, digits) => {
        expect(minorOf(moneyText(minor, digits), digits)).toBe(minor);
      }),
    );
    expect(minorOf("1,234.5", 2)).toBe(123_450);
    expect(minorOf("90,071,992,547,409.91", 2)).toBe(Number.MAX_SAFE_INTEGER);
    expect(wholeOf(" 30,000 ")).toBe(30_000);
    expect(minorOf("０．１", 2)).toBe(10);
    expect(wholeOf("１２，０００")).toBe(12_000);
    expect(wholeOf("30,00")).toBe(3_000);
  });

  test("may have a sign, and any that an input method types", () => {
    expect(["50", "+50", "＋５０"].map(signedOf)).toEqual([50, 50, 50]);
    expect(["-50", "－５０", "−1,000", "ー５０", "‐50"].map(signedOf)).toEqual([-50, -50, -1_000, -50, -50]);
    expect(["", "-", "--5", "5-", "-1.5"].map(signedOf)).toEqual([null, null, null, null, null]);
    expect(Object.is(signedOf("-0"), 0)).toBe(true);
    expect(decimalText(" ８０．２５ ")).toBe("80.25");
  });

  test("is shown with separators of thousands", () => {
    expect([0, 999, 1_000, 30_000, 1_234_567].map(wholeText)).toEqual(["0", "999", "1,000", "30,000", "1,234,567"]);
    expect(moneyText(123_450, 2)).toBe("1,234.50");
    expect(moneyText(5, 2)).toBe("0.05");
    expect(moneyText(1_234_567, 3)).toBe("1,234.567");
  });

  test.each(["", "-1", "1.234", "12,50", "1,234,5", "１２，５", "abc", "1e3", "9007199254740993"])(
    "%s is none",
    (text) => {
      expect(minorOf(text, 2)).toBeNull();
    },
  );
});
