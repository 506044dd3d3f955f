import type { OrderLine } from "./neutral-events.ts";

/**
 * Quantities are decimals: 2 pieces, 1.5 kg. A number holds one exactly enough (at most 6 places, at most 10^9) that it always
 * tells which decimal it is, but its sums would drift (0.1 + 0.2). So all arithmetic goes through millionths, as integers.
 */
export const QUANTITY_PLACES = 6;
export const QUANTITY_MAX = 1_000_000_000;

const MILLION = 1_000_000n;

/** Millionths of a unit. */
export function millionths(quantity: number): bigint {
  return Number.isInteger(quantity) ? BigInt(quantity) * MILLION : BigInt(Math.round(quantity * Number(MILLION)));
}

/** Whether a number is a quantity: a decimal of at most 6 places. */
export function isQuantity(value: number): boolean {
  return Number.isFinite(value) && (Number.isSafeInteger(value) || quantityOf(millionths(value)) === value);
}

/** The exact sum; to subtract, add what is below 0. */
export function addQuantities(...quantities: readonly number[]): number {
  return quantityOf(quantities.reduce((total, quantity) => total + millionths(quantity), 0n));
}

function quantityOf(value: bigint): number {
  return value % MILLION === 0n ? Number(value / MILLION) : Number(value) / Number(MILLION);
}

/**
 * What a line costs before discounts: unit price times quantity, rounded half up to whole minor units. The one place where a
 * line's money is rounded: all later amounts are integers of minor units.
 */
export function grossOf({
  unitPrice,
  unitPriceMillionths,
  quantity,
}: Pick<OrderLine, "unitPrice" | "unitPriceMillionths" | "quantity">): bigint {
  const price = unitPrice.minor * MILLION + BigInt(unitPriceMillionths ?? 0);
  const scale = MILLION * MILLION;
  return (2n * price * millionths(Math.max(0, quantity)) + scale) / (2n * scale);
}
