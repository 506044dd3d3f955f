import { type LineChoice, PRODUCTS, type Refunded } from "./life.ts";
import { isGoods, type Line, type Order, priceOf, type Refund, type RefundLine } from "./order.ts";
import { isBelow, least, minus, most, over, plus, type Ratio, ratio, rounded, sumOf, times, ZERO } from "./ratio.ts";
import { leftOfLines } from "./refund-model.ts";

/** What a platform makes of the choices of a life: lines, discounts and refunds in whole minor units. */

export function lineOf(id: string, choice: LineChoice, taxesIncluded: boolean): Line {
  const { kind, isDownload } = choice;
  const [unitPrice, quantity] = [ratio(choice.price, 100n), ratio(choice.halves, 2n)];
  const price = priceOf({ unitPrice, quantity });
  const discount = (price * choice.discount) / 100n;
  const net = price - discount;
  const tax = taxesIncluded ? (net * choice.tax) / (100n + choice.tax) : (net * choice.tax) / 100n;
  const product = choice.product === null ? null : (PRODUCTS[choice.product] ?? null);
  return { id, kind, product, unitPrice, quantity, current: null, discount, ofCoupon: 0n, tax, isDownload };
}

/** All discounts of the goods, where more than those of the lines. */
export function looseDiscount(lines: readonly Line[], percent: bigint | null, coupon: bigint | null): bigint | null {
  if (percent === null && coupon === null) return null;
  const onLines = lines.reduce((sum, { discount }) => sum + discount, 0n);
  const value = lines
    .filter(({ kind }) => isGoods(kind))
    .reduce((sum, line) => sum + priceOf(line) - line.discount, 0n);
  return onLines + (value * (percent ?? 0n)) / 100n + (coupon ?? 0n);
}

/** What a platform says that some more units of a line are worth: rounded with those refunded before. */
function moneyOf(order: Order, line: Line, units: Ratio): { readonly subtotal: bigint; readonly tax: bigint } {
  const { paid, paidTax } = leftOfLines({ ...order, refunds: [] }).get(line.id) ?? { paid: 0n, paidTax: 0n };
  const refunds = order.refunds.flatMap(({ lines }) => lines.filter(({ lineId }) => lineId === line.id));
  const before = sumOf(refunds.map((one) => one.units));
  const of = (money: bigint, some: Ratio) => rounded(over(times(ratio(money), some), line.quantity), "half_up");
  const part = (money: bigint) => of(money, plus(before, units)) - of(money, before);
  return { subtotal: part(order.taxesIncluded ? paid : paid - paidTax), tax: part(paidTax) };
}

/** Lines after an edit: units removed from one, its price changed, or a line added. */
export function editedLines(order: Order, edited: number, change: "remove" | "price" | "add", halves: bigint) {
  if (change === "add") {
    const id = `${order.id}-${order.lines.length}`;
    const own = { kind: "product", product: null, isDownload: false } as const;
    const choice: LineChoice = { ...own, price: halves * 33_300n, halves, discount: 0n, tax: 10n };
    return [...order.lines, lineOf(id, choice, order.taxesIncluded)];
  }
  return order.lines.map((line, n) => {
    if (n !== edited) return line;
    if (change === "price") return { ...line, unitPrice: plus(line.unitPrice, ratio(halves * 100n)) };
    const kept = leftOfLines(order).get(line.id)?.kept ?? ZERO;
    return { ...line, current: most(ZERO, minus(kept, ratio(halves, 2n))) };
  });
}

/** A coupon's worth taken from the goods, line by line; `open`: what they did not cost. */
export function takenOff(lines: readonly Line[], worth: bigint) {
  let open = worth;
  const discounted = lines.map((line) => {
    const net = priceOf(line) - line.discount;
    const ofCoupon = !isGoods(line.kind) ? 0n : net < open ? net : open;
    open -= ofCoupon;
    return { ...line, ofCoupon, discount: line.discount + ofCoupon };
  });
  return { discounted, open };
}

/** A refund of units that are there, and of the money that the choice names. */
export function refundOf(order: Order, choice: Refunded, id: string, at: Temporal.Instant): Refund {
  const left = leftOfLines(order);
  const lines: RefundLine[] = [];
  for (const { line: n, halves } of choice.lines) {
    const line = order.lines[n % order.lines.length];
    if (line === undefined || lines.some(({ lineId }) => lineId === line.id)) continue;
    const units = least(ratio(halves, 2n), left.get(line.id)?.kept ?? ZERO);
    if (isBelow(ZERO, units))
      lines.push({ ...moneyOf(order, line, units), lineId: line.id, units, isReturn: choice.isReturn });
  }
  const { shipping } = choice;
  const shippingTax = shipping / 10n;
  const own = lines.reduce((sum, { subtotal, tax }) => sum + subtotal + (order.taxesIncluded ? 0n : tax), 0n);
  const rest = sumOf([...left.values()].map(({ paid, money }) => times(ratio(paid), money)));
  const some = rounded(over(times(lines.length === 0 ? rest : ratio(own), ratio(choice.percent)), ratio(100n)), "down");
  const goods = { lines: own, less: some, more: own + some, none: 0n, unknown: null }[choice.money];
  const moved = goods === null || goods === 0n ? goods : goods + shipping + shippingTax;
  return { id, at, lines, moved, shipping, shippingTax };
}
