import { isGoods, type Order, priceOf } from "./order.ts";

/**
 * What was paid for the goods of an order less what was paid back for them, in minor units: where its lines are goods alone and each refund states its
 * money or has none. So it follows from no rule by which lines share money. null: another order, or one with lines that were removed.
 */
export function goodsMoney({ lines, goodsDiscount, taxesIncluded, refunds }: Order): bigint | null {
  const hasOthers = lines.some(({ kind, current }) => !isGoods(kind) || current !== null);
  const byLines = refunds.some((one) => one.lines.length > 0 && (one.moved === null || one.moved === 0n));
  if (hasOthers || byLines) return null;
  const onLines = sum(lines.map(({ discount }) => discount));
  const loose = goodsDiscount === null || goodsDiscount < onLines ? 0n : goodsDiscount - onLines;
  const price = sum(lines.map((line) => priceOf(line) - line.discount)) - loose;
  const tax = taxesIncluded ? 0n : sum(lines.map((line) => line.tax));
  const back = refunds.map(({ moved, shipping, shippingTax }) => orZero((moved ?? 0n) - shipping - shippingTax));
  return orZero(orZero(price) + tax - sum(back));
}

function sum(parts: readonly bigint[]): bigint {
  return parts.reduce((total, part) => total + part, 0n);
}

function orZero(money: bigint): bigint {
  return money > 0n ? money : 0n;
}
