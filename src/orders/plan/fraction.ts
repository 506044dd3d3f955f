import { millionths } from "../../platforms/quantity.ts";
import type { Program } from "../../program/program.ts";

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

/** Numbers up to it are exact as a double, which is divided twenty times faster than a bigint. */
const DOUBLE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the greatest common divisor of two numbers of at least 0. The long ones are denominators of `shortened`, a power of two times a short
 * number: without their powers of two, one of the numbers is short.
 */
function gcd(a: bigint, b: bigint): bigint {
  if (a === 0n || b === 0n) return a + b;
  if (a <= DOUBLE_MAX && b <= DOUBLE_MAX) return BigInt(shortGcd(Number(a), Number(b)));
  const [twosOfA, twosOfB] = [a & -a, b & -b];
  const twos = twosOfA < twosOfB ? twosOfA : twosOfB;
  return twos * longGcd(a / twosOfA, b / twosOfB);
}

function longGcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n && (x > DOUBLE_MAX || y > DOUBLE_MAX)) [x, y] = [y, x % y];
  return y === 0n ? x : BigInt(shortGcd(Number(x), Number(y)));
}

function shortGcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

// The sum of thousands of lines has a denominator of thousands of digits. Finding the divisor of two such numbers takes a tenth of a second,
// of one and a short number microseconds: the results below are in lowest terms without the former (Knuth, TAOCP 2, 4.5.1).

export function plus(a: Fraction, b: Fraction): Fraction {
  const common = gcd(a.den, b.den);
  if (common === 1n) return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
  const rest = a.den / common;
  const num = a.num * (b.den / common) + b.num * rest;
  const divisor = gcd(num < 0n ? -num : num, common);
  return { num: num / divisor, den: rest * (b.den / divisor) };
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { num: -b.num, den: b.den });
}

export function times(a: Fraction, b: Fraction): Fraction {
  const one = gcd(a.num < 0n ? -a.num : a.num, b.den);
  const other = gcd(b.num < 0n ? -b.num : b.num, a.den);
  return { num: (a.num / one) * (b.num / other), den: (a.den / other) * (b.den / one) };
}

/** Returns `a / b`; `b` must not be 0. */
export function over(a: Fraction, b: Fraction): Fraction {
  return times(a, b.num < 0n ? { num: -b.den, den: -b.num } : { num: b.den, den: b.num });
}

const LONG = 2n ** 512n;
const STEPS = 2n ** 256n;

/**
 * Returns a value unchanged while its denominator has up to 512 binary digits, and otherwise without what it has beyond 256 of them behind
 * the point. No shop's order comes near; but without an end, an order of thousands of refunds would take hours to compute.
 */
export function shortened(value: Fraction): Fraction {
  return value.den < LONG ? value : fraction((value.num * STEPS) / value.den, STEPS);
}

const RESTORED_STEPS = 2n ** 128n;

/** Returns a value without the error of `shortened`, which is far smaller than these steps: a value that was a whole number is one again. */
function restored(value: Fraction): Fraction {
  if (value.den < STEPS) return value;
  const nearest = (2n * value.num * RESTORED_STEPS + value.den) / (2n * value.den);
  return fraction(nearest, RESTORED_STEPS);
}

/** Whether a value is 0, apart from the error of `shortened`. */
export function isNearZero({ num, den }: Fraction): boolean {
  return num === 0n || (den >= STEPS && (num < 0n ? -num : num) * RESTORED_STEPS < den);
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
  const { num, den } = restored(value);
  if (rounding === "down") return num / den;
  if (rounding === "up") return (num + den - 1n) / den;
  return (2n * num + den) / (2n * den);
}
