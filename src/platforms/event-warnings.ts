import type { Fault } from "../problems.ts";
import { formatMajor } from "./money.ts";
import type { CurrencyCode, FulfillmentFact, Money, NeutralEvent, OrderFacts, OrderLine } from "./neutral-events.ts";
import { discountsOf, looseDiscount, netOfLine, wholeOf } from "./order-sums.ts";
import { addQuantities, grossOf } from "./quantity.ts";

/** What of one event is taken although it contradicts itself or earns nothing. Pointers begin at the event. */
export type Warning = Fault;

/** At most so many warnings of one event are kept. */
export const WARNINGS_MAX = 20;

const NOBODY = /^0+$/;

/** Contradictions of an event, which is taken anyway: the sender gets them, since the points may not be what they expect. */
export function warningsOf(event: NeutralEvent, storeCurrency: CurrencyCode): readonly Warning[] {
  return found(event, storeCurrency).slice(0, WARNINGS_MAX);
}

function found(event: NeutralEvent, storeCurrency: CurrencyCode): readonly Warning[] {
  switch (event.type) {
    case "OrderPlaced":
    case "OrderUpdated":
    case "OrderPaid":
      return ofOrder(event.payload, storeCurrency);
    case "OrderFulfilled":
      return ofFulfillment(event.payload.fulfillment, "/payload/fulfillment", undefined);
    case "CustomerUpserted":
      return NOBODY.test(event.payload.customerId)
        ? [
            warning(
              "/payload/customer_id",
              "is 0, the id under which shops send guests: orders under it are guests' orders",
            ),
          ]
        : [];
    default:
      return [];
  }
}

function ofOrder(order: OrderFacts, storeCurrency: CurrencyCode): readonly Warning[] {
  return [
    ...ofCurrency(order, storeCurrency),
    ...ofDiscounts(order),
    ...ofTotals(order),
    ...ofStatus(order),
    ...order.fulfillments.flatMap((one, i) => ofFulfillment(one, `/payload/fulfillments/${i}`, order.lines)),
    ...ofShippedUnits(order),
    ...order.refunds.flatMap(({ lines }, i) => unknownLines(lines, `/payload/refunds/${i}`, order.lines)),
  ];
}

function ofCurrency(order: OrderFacts, storeCurrency: CurrencyCode): readonly Warning[] {
  const currency = order.shopCurrency ?? order.lines?.[0]?.unitPrice.currency ?? storeCurrency;
  if (currency === storeCurrency) return [];
  const pointer = order.shopCurrency === undefined ? "/payload/lines" : "/payload/shop_currency";
  return [
    warning(
      pointer,
      `is in ${currency}, the store's points are of ${storeCurrency}: the order is kept and earns nothing while that is so`,
    ),
  ];
}

function ofDiscounts(order: OrderFacts): readonly Warning[] {
  const { lines, discountTotal } = order;
  if (lines === undefined) return [];
  const overdrawn = lines.flatMap((line, i) =>
    discountsOf(line) > grossOf(line)
      ? [
          warning(
            `/payload/lines/${i}/discounts`,
            `take ${money(discountsOf(line), line.unitPrice)}, more than the line costs`,
          ),
        ]
      : [],
  );
  const onLines = lines.reduce((total, line) => total + discountsOf(line), 0n);
  return [
    ...overdrawn,
    ...(discountTotal === undefined ? ofCoupons(order, onLines) : ofDiscountTotal(order, discountTotal, onLines)),
  ];
}

/** Codes whose amounts stand at the order alone: nothing says that they were taken from the goods. */
function ofCoupons({ coupons = [] }: OrderFacts, onLines: bigint): readonly Warning[] {
  const amounts = coupons.flatMap(({ amount }) => amount ?? []);
  const [first] = amounts;
  const taken = amounts.reduce((total, { minor }) => total + minor, 0n);
  if (first === undefined || taken <= onLines) return [];
  const loose = money(taken - onLines, first);
  const detail = `take ${loose} that no line carries: the lines earn as if it were not taken; say it in their discounts or in discount_total`;
  return [warning("/payload/coupons", detail)];
}

function ofDiscountTotal(order: OrderFacts, discountTotal: Money, onLines: bigint): readonly Warning[] {
  const pointer = "/payload/discount_total";
  if (discountTotal.minor < onLines) {
    return [
      warning(
        pointer,
        `is ${money(discountTotal.minor, discountTotal)}, the discounts of the lines come to ${money(onLines, discountTotal)}`,
      ),
    ];
  }
  if (discountTotal.minor === onLines) return [];
  const loose = money(discountTotal.minor - onLines, discountTotal);
  if (looseDiscount(order) === 0n) {
    return [warning(pointer, `has ${loose} that no line carries: by the total it was taken from the shipping`)];
  }
  const goods = (order.lines ?? []).reduce((total, line) => total + (isGoods(line) ? netOfLine(line) : 0n), 0n);
  if (discountTotal.minor - onLines > goods) {
    return [warning(pointer, `has ${loose} that no line carries, more than the goods cost: they earn nothing`)];
  }
  return [warning(pointer, `has ${loose} that no line carries: shared out over the goods by value`)];
}

function ofTotals(order: OrderFacts): readonly Warning[] {
  const { lines, subtotal, taxTotal, total } = order;
  if (lines === undefined) return [];
  // one minor unit a line: what rounding of prices and quantities may come to elsewhere
  const slack = BigInt(
    lines.filter(
      ({ quantity, unitPriceMillionths }) => !Number.isInteger(quantity) || unitPriceMillionths !== undefined,
    ).length,
  );
  const warnings: Warning[] = [];
  const discount = looseDiscount(order);
  const goods = lines.reduce((sum, line) => sum + netOfLine(line), 0n) - discount;
  const tips = lines.reduce((sum, line) => sum + (line.kind === "tip" ? netOfLine(line) : 0n), 0n);
  if (subtotal !== undefined && !isNear(subtotal.minor, [goods, goods - tips], slack)) {
    const detail = `is ${money(subtotal.minor, subtotal)}, the lines come to ${money(goods, subtotal)} after discounts`;
    warnings.push(warning("/payload/subtotal", detail));
  }
  const tax = lines.reduce((sum, line) => sum + line.tax.minor, 0n);
  if (taxTotal !== undefined && (taxTotal.minor < tax || (tax === 0n && taxTotal.minor > 0n && goods > 0n))) {
    const detail = `is ${money(taxTotal.minor, taxTotal)}, the tax of the lines comes to ${money(tax, taxTotal)}`;
    warnings.push(warning("/payload/tax_total", detail));
  }
  if (total !== undefined) {
    // whether prices have the tax in them may not be said
    const sums = [order.taxesIncluded ?? false, order.taxesIncluded ?? true].map((taxesIncluded) =>
      wholeOf({ ...order, taxesIncluded }, discount),
    );
    if (!isNear(total.minor, sums, slack)) {
      const detail = `is ${money(total.minor, total)}, lines, shipping, tax and tips of this event come to ${money(sums[0] ?? 0n, total)}`;
      warnings.push(warning("/payload/total", detail));
    }
  }
  return warnings;
}

function isNear(stated: bigint, sums: readonly bigint[], slack: bigint): boolean {
  return sums.some((sum) => stated - sum <= slack && sum - stated <= slack);
}

function ofStatus({ fulfillmentStatus, fulfillments }: OrderFacts): readonly Warning[] {
  if (fulfillmentStatus !== "partial" || fulfillments.length > 0) return [];
  return [
    warning(
      "/payload/fulfillment_status",
      "is partial, but says not what was shipped: nothing is until fulfillments name it",
    ),
  ];
}

function ofFulfillment(
  { status, lines }: FulfillmentFact,
  pointer: string,
  known: readonly OrderLine[] | undefined,
): readonly Warning[] {
  if (status !== "success") return [];
  if (lines.every(({ quantity }) => quantity === 0)) {
    const detail =
      "name no units, so nothing is shipped by it; say them, or send the order with fulfillment_status fulfilled";
    return [warning(`${pointer}/lines`, detail)];
  }
  return unknownLines(lines, pointer, known);
}

function unknownLines(
  named: readonly { readonly lineId: string }[],
  pointer: string,
  known: readonly OrderLine[] | undefined,
): readonly Warning[] {
  if (known === undefined) return [];
  const ids = new Set(known.map(({ lineId }) => lineId));
  return named.flatMap(({ lineId }, i) =>
    ids.has(lineId)
      ? []
      : [warning(`${pointer}/lines/${i}/line_id`, "is no line of this order: it counts for nothing")],
  );
}

function ofShippedUnits({ lines, fulfillments }: OrderFacts): readonly Warning[] {
  const shipped = new Map<string, number>();
  for (const { status, lines: units } of fulfillments) {
    for (const { lineId, quantity } of status === "success" ? units : []) {
      shipped.set(lineId, addQuantities(shipped.get(lineId) ?? 0, quantity));
    }
  }
  return (lines ?? []).flatMap(({ lineId, quantity }, i) => {
    const units = shipped.get(lineId) ?? 0;
    return units > quantity
      ? [warning(`/payload/lines/${i}/quantity`, `is ${quantity}, the fulfillments ship ${units}`)]
      : [];
  });
}

function isGoods({ kind }: OrderLine): boolean {
  return kind === "product" || kind === "custom";
}

function warning(pointer: string, detail: string): Warning {
  return { pointer, detail: `${pointer.replace("/payload/", "")} ${detail}` };
}

function money(minor: bigint, { currency }: Money): string {
  return `${formatMajor(minor, currency)} ${currency}`;
}
