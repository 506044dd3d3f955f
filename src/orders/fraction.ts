import { millionths } from "../platforms/quantity.ts";
import type { Program } from "../program/program.ts";

/** An exact rational number in lowest terms, with a denominator above 0. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

export const ZERO: Fraction = { num: 0n, den: 1n };
export const ONE: Fraction = { num: 1n, den: 1n };

/** Returns `num / den`; `den` must not be 0. */
export function fraction(num: bigint, den = 1n): Fraction {
  const divisor = gcd(num < 0n ? -num : num, den < 0n ? -den : den);
  const sign = den < 0n ? -1n : 1n;
  return { num: (sign * num) / divisor, den: (sign * den) / divisor };
}

/** Returns `part / whole` of two quantities; `whole` must not be 0. */
export function ofQuantity(part: number, whole = 1): Fraction {
  return fraction(millionths(part), millionths(whole));
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.den + b.num * a.den, a.den * b.den);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.den - b.num * a.den, a.den * b.den);
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.num, a.den * b.den);
}

/** Returns `a / b`; `b` must not be 0. */
export function over(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.den, a.den * b.num);
}

/** Returns a number below 0 if a < b, 0 if they are equal, above 0 if a > b. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.num * b.den - b.num * a.den;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function least(a: Fraction, b: Fraction): Fraction {
  return compare(a, b) <= 0 ? a : b;
}

export function greatest(a: Fraction, b: Fraction): Fraction {
  return compare(a, b) >= 0 ? a : b;
}

export function sum(values: readonly Fraction[]): Fraction {
  return values.reduce(plus, ZERO);
}

export type Rounding = Program["earning"]["rounding"];

/** R of program.md 4: rounds a value of at least 0 to an integer. */
export function round(value: Fraction, rounding: Rounding): bigint {
  if (rounding === "down") return value.num / value.den;
  if (rounding === "up") return (value.num + value.den - 1n) / value.den;
  return (2n * value.num + value.den) / (2n * value.den);
}
