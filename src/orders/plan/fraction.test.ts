import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, fraction, minus, over, plus, round, shortened, times } from "./fraction.ts";

const some = fc.tuple(fc.bigInt(-1000n, 1000n), fc.bigInt(1n, 1000n)).map(([num, den]) => fraction(num, den));

/** Euclid's algorithm. */
function divisorOf(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisorOf(b, a % b);
}

describe("fractions", () => {
  test("are in lowest terms, the sign above", () => {
    expect(fraction(6n, -4n)).toEqual({ num: -3n, den: 2n });
    expect(fraction(0n, -7n)).toEqual({ num: 0n, den: 1n });
  });

  test("what is added can be taken off, what is multiplied divided, and they compare by their difference", () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(minus(plus(a, b), b)).toEqual(a);
        if (b.num !== 0n) expect(over(times(a, b), b)).toEqual(a);
        expect(Math.sign(compare(a, b))).toBe(Math.sign(Number(minus(a, b).num)));
      }),
    );
  });

  test("are in lowest terms after every operation", () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(plus(a, b)).toEqual(fraction(a.num * b.den + b.num * a.den, a.den * b.den));
        expect(times(a, b)).toEqual(fraction(a.num * b.num, a.den * b.den));
        if (b.num !== 0n) expect(over(a, b)).toEqual(fraction(a.num * b.den, a.den * b.num));
      }),
    );
  });

  test("are in lowest terms however long their numbers and powers of two are", () => {
    const part = fc.oneof(fc.bigInt(0n, 100n), fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n), fc.bigInt(0n, 2n ** 300n));
    const number = fc.tuple(part, part, fc.nat(300)).map(([a, b, twos]) => a * b * 2n ** BigInt(twos));
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        fc.pre(b !== 0n && c !== 0n);
        const divisor = divisorOf(a * c, b * c);
        expect(fraction(a * c, b * c)).toEqual({ num: (a * c) / divisor, den: (b * c) / divisor });
      }),
      { numRuns: 1_000 },
    );
  });

  test("are shortened only if they are very long, by less than can be counted", () => {
    const [long, longer] = [fraction(1n, 3n ** 320n), fraction(1n, 3n ** 330n)];
    expect(shortened(long)).toEqual(long);
    expect(shortened(longer)).toEqual(fraction(0n));
    expect(shortened(plus(fraction(7n), longer))).toEqual(fraction(7n));
  });

  test.each([
    [7n, 2n, 4n, 3n, 4n],
    [10n, 3n, 4n, 3n, 3n],
    [11n, 3n, 4n, 3n, 4n],
    [6n, 2n, 3n, 3n, 3n],
    [0n, 5n, 0n, 0n, 0n],
  ])("%i/%i rounds up to %i, down to %i, half up to %i", (num, den, up, down, halfUp) => {
    const value = fraction(num, den);
    expect([round(value, "up"), round(value, "down"), round(value, "half_up")]).toEqual([up, down, halfUp]);
  });
});
