/** Exact numbers: points, money and quantities are never rounded before a rule of the program says so. */
export interface Ratio {
  readonly num: bigint;
  /** Above 0. */
  readonly den: bigint;
}

export type Rounding = "up" | "down" | "half_up";

export const ZERO: Ratio = { num: 0n, den: 1n };
export const ONE: Ratio = { num: 1n, den: 1n };

export function ratio(num: bigint, den = 1n): Ratio {
  const sign = den < 0n ? -1n : 1n;
  let [a, b] = [num < 0n ? -num : num, den * sign];
  while (b !== 0n) [a, b] = [b, a % b];
  return { num: (num * sign) / a, den: (den * sign) / a };
}

export function plus(a: Ratio, b: Ratio): Ratio {
  return ratio(a.num * b.den + b.num * a.den, a.den * b.den);
}

export function minus(a: Ratio, b: Ratio): Ratio {
  return plus(a, ratio(-b.num, b.den));
}

export function times(a: Ratio, b: Ratio): Ratio {
  return ratio(a.num * b.num, a.den * b.den);
}

export function over(a: Ratio, b: Ratio): Ratio {
  return ratio(a.num * b.den, a.den * b.num);
}

export function isBelow(a: Ratio, b: Ratio): boolean {
  return a.num * b.den < b.num * a.den;
}

export function least(a: Ratio, b: Ratio): Ratio {
  return isBelow(a, b) ? a : b;
}

export function most(a: Ratio, b: Ratio): Ratio {
  return isBelow(a, b) ? b : a;
}

export function sumOf(all: readonly Ratio[]): Ratio {
  return all.reduce(plus, ZERO);
}

/** Of a number that is not below 0. */
export function rounded({ num, den }: Ratio, rounding: Rounding): bigint {
  if (rounding === "up") return (num + den - 1n) / den;
  return rounding === "down" ? num / den : (2n * num + den) / (2n * den);
}
