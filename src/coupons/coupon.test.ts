import fc from "fast-check";
import { expect, test } from "vitest";
import { CODE_BYTES, couponCode } from "./coupon.ts";

test("a code is three groups of four letters that nobody takes for another", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: CODE_BYTES, maxLength: CODE_BYTES, max: 252 }), (bytes) => {
      expect(couponCode(bytes)).toMatch(/^[AC-HJ-KM-NP-RTW-Y34679]{4}(?:-[AC-HJ-KM-NP-RTW-Y34679]{4}){2}$/);
    }),
  );
});

test("every letter is as likely as another", () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const letter = couponCode(new Uint8Array(12).fill(byte))?.charAt(0);
    if (letter !== undefined) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(counts.size).toBe(23);
  expect(new Set(counts.values()).size).toBe(1);
});

test("too few bytes make no code", () => {
  expect(couponCode(new Uint8Array(11))).toBeNull();
  expect(couponCode(new Uint8Array(CODE_BYTES).fill(255))).toBeNull();
});
