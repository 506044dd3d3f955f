import type { OrderLine } from "./neutral-events.ts";

/**
 * Quantities are decimals: 2 pieces, 1.5 kg. A number represents one precisely enough (at most 6 places, at most 10^9) to identify the
 * decimal, but sums would accumulate errors (0.1 + 0.2). So all arithmetic uses millionths, as integers.
 */
export const QUANTITY_PLACES = 6;
export const QUANTITY_MAX = 1_000_000_000;

const MILLION = 1_000_000n;

/** Returns a quantity in millionths of a unit. */
export function millionths(quantity: number): bigint {
  return Number.isInteger(quantity) ? BigInt(quantity) * MILLION : BigInt(Math.round(quantity * Number(MILLION)));
}

/** Whether a number is a quantity: a decimal with at most 6 places. */
export function isQuantity(value: number): boolean {
  return Number.isFinite(value) && (Number.isSafeInteger(value) || quantityOf(millionths(value)) === value);
}

/** Returns the exact sum; to subtract, add negative values. */
export function addQuantities(...quantities: readonly number[]): number {
  return quantityOf(quantities.reduce((total, quantity) => total + millionths(quantity), 0n));
}

function quantityOf(value: bigint): number {
  return value % MILLION === 0n ? Number(value / MILLION) : Number(value) / Number(MILLION);
}

/**
 * Returns the price of a line before discounts: unit price times quantity, rounded half up to whole minor units. This is the only place
 * where a line's money is rounded: all later amounts are integers of minor units.
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
