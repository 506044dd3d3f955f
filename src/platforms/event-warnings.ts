import type { EventWarning, WarningContent } from "../wire/event-warnings.ts";
import { formatMajor } from "./money.ts";
import type { CurrencyCode, FulfillmentFact, Money, NeutralEvent, OrderFacts, OrderLine } from "./neutral-events.ts";
import { discountsOf, looseDiscount, netOfLine, wholeOf } from "./order-sums.ts";
import { addQuantities, grossOf } from "./quantity.ts";

/** The maximum number of warnings of one event that are kept. */
export const WARNINGS_MAX = 20;

const NOBODY = /^0+$/;

/** Returns the contradictions of an event, which is accepted anyway: the sender gets them, because the points may not be as expected. */
export function warningsOf(event: NeutralEvent, storeCurrency: CurrencyCode): readonly EventWarning[] {
  return found(event, storeCurrency).slice(0, WARNINGS_MAX);
}

function found(event: NeutralEvent, storeCurrency: CurrencyCode): readonly EventWarning[] {
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
              { kind: "guest_customer", values: {} },
              "/payload/customer_id",
              "is 0, the id under which shops send guests: orders under it are guests' orders",
            ),
          ]
        : [];
    default:
      return [];
  }
}

function ofOrder(order: OrderFacts, storeCurrency: CurrencyCode): readonly EventWarning[] {
  const lineIds = order.lines === undefined ? undefined : new Set(order.lines.map(({ lineId }) => lineId)); // an order may have 10,000 shipments
  return [
    ...ofCurrency(order, storeCurrency),
    ...ofDiscounts(order),
    ...ofTotals(order),
    ...ofStatus(order),
    ...order.fulfillments.flatMap((one, i) => ofFulfillment(one, `/payload/fulfillments/${i}`, lineIds)),
    ...ofShippedUnits(order),
    ...order.refunds.flatMap(({ lines }, i) => unknownLines(lines, `/payload/refunds/${i}`, lineIds)),
  ];
}

function ofCurrency(order: OrderFacts, storeCurrency: CurrencyCode): readonly EventWarning[] {
  const currency = order.shopCurrency ?? order.lines?.[0]?.unitPrice.currency ?? storeCurrency;
  if (currency === storeCurrency) return [];
  const pointer = order.shopCurrency === undefined ? "/payload/lines" : "/payload/shop_currency";
  return [
    warning(
      { kind: "other_currency", values: { currency, store: storeCurrency } },
      pointer,
      `is in ${currency}, the store's points are of ${storeCurrency}: the order is kept and earns nothing while that is so`,
    ),
  ];
}

function ofDiscounts(order: OrderFacts): readonly EventWarning[] {
  const { lines, discountTotal } = order;
  if (lines === undefined) return [];
  const overdrawn = lines.flatMap((line, i) => {
    if (discountsOf(line) <= grossOf(line)) return [];
    const amount = money(discountsOf(line), line.unitPrice);
    const content = { kind: "discounts_above_line", values: { amount } } as const;
    return [warning(content, `/payload/lines/${i}/discounts`, `take ${amount}, more than the line costs`)];
  });
  const onLines = lines.reduce((total, line) => total + discountsOf(line), 0n);
  return [
    ...overdrawn,
    ...(discountTotal === undefined ? ofCoupons(order, onLines) : ofDiscountTotal(order, discountTotal, onLines)),
  ];
}

/** Warns about codes whose amounts are stated only for the order: nothing shows that they were subtracted from the goods. */
function ofCoupons({ coupons = [] }: OrderFacts, onLines: bigint): readonly EventWarning[] {
  const amounts = coupons.flatMap(({ amount }) => amount ?? []);
  const [first] = amounts;
  const taken = amounts.reduce((total, { minor }) => total + minor, 0n);
  if (first === undefined || taken <= onLines) return [];
  const loose = money(taken - onLines, first);
  const detail = `take ${loose} that no line carries: the lines earn as if it were not taken; say it in their discounts or in discount_total`;
  return [warning({ kind: "coupons_on_no_line", values: { amount: loose } }, "/payload/coupons", detail)];
}

function ofDiscountTotal(order: OrderFacts, discountTotal: Money, onLines: bigint): readonly EventWarning[] {
  const pointer = "/payload/discount_total";
  if (discountTotal.minor < onLines) {
    const values = { stated: money(discountTotal.minor, discountTotal), lines: money(onLines, discountTotal) };
    const detail = `is ${values.stated}, the discounts of the lines come to ${values.lines}`;
    return [warning({ kind: "discount_total_below_lines", values }, pointer, detail)];
  }
  if (discountTotal.minor === onLines) return [];
  const loose = money(discountTotal.minor - onLines, discountTotal);
  const values = { amount: loose };
  if (looseDiscount(order) === 0n) {
    const detail = `has ${loose} that no line carries: by the total it was taken from the shipping`;
    return [warning({ kind: "discount_of_shipping", values }, pointer, detail)];
  }
  const goods = (order.lines ?? []).reduce((total, line) => total + (isGoods(line) ? netOfLine(line) : 0n), 0n);
  if (discountTotal.minor - onLines > goods) {
    const detail = `has ${loose} that no line carries, more than the goods cost: they earn nothing`;
    return [warning({ kind: "discount_above_goods", values }, pointer, detail)];
  }
  const detail = `has ${loose} that no line carries: shared out over the goods by value`;
  return [warning({ kind: "discount_shared_out", values }, pointer, detail)];
}

function ofTotals(order: OrderFacts): readonly EventWarning[] {
  const { lines, subtotal, taxTotal, total } = order;
  if (lines === undefined) return [];
  // one minor unit per line: the rounding of prices and quantities elsewhere may differ by that much
  const slack = BigInt(
    lines.filter(
      ({ quantity, unitPriceMillionths }) => !Number.isInteger(quantity) || unitPriceMillionths !== undefined,
    ).length,
  );
  const warnings: EventWarning[] = [];
  const discount = looseDiscount(order);
  const goods = lines.reduce((sum, line) => sum + netOfLine(line), 0n) - discount;
  const tips = lines.reduce((sum, line) => sum + (line.kind === "tip" ? netOfLine(line) : 0n), 0n);
  if (subtotal !== undefined && !isNear(subtotal.minor, [goods, goods - tips], slack)) {
    const values = { stated: money(subtotal.minor, subtotal), lines: money(goods, subtotal) };
    const detail = `is ${values.stated}, the lines come to ${values.lines} after discounts`;
    warnings.push(warning({ kind: "subtotal_differs", values }, "/payload/subtotal", detail));
  }
  const tax = lines.reduce((sum, line) => sum + line.tax.minor, 0n);
  if (taxTotal !== undefined && (taxTotal.minor < tax || (tax === 0n && taxTotal.minor > 0n && goods > 0n))) {
    const values = { stated: money(taxTotal.minor, taxTotal), lines: money(tax, taxTotal) };
    const detail = `is ${values.stated}, the tax of the lines comes to ${values.lines}`;
    warnings.push(warning({ kind: "tax_differs", values }, "/payload/tax_total", detail));
  }
  if (total !== undefined) {
    // the event may not state whether prices include tax
    const sums = [order.taxesIncluded ?? false, order.taxesIncluded ?? true].map((taxesIncluded) =>
      wholeOf({ ...order, taxesIncluded }, discount),
    );
    if (!isNear(total.minor, sums, slack)) {
      const values = { stated: money(total.minor, total), lines: money(sums[0] ?? 0n, total) };
      const detail = `is ${values.stated}, lines, shipping, tax and tips of this event come to ${values.lines}`;
      warnings.push(warning({ kind: "total_differs", values }, "/payload/total", detail));
    }
  }
  return warnings;
}

function isNear(stated: bigint, sums: readonly bigint[], slack: bigint): boolean {
  return sums.some((sum) => stated - sum <= slack && sum - stated <= slack);
}

function ofStatus({ fulfillmentStatus, fulfillments }: OrderFacts): readonly EventWarning[] {
  if (fulfillmentStatus !== "partial" || fulfillments.length > 0) return [];
  return [
    warning(
      { kind: "partial_without_shipments", values: {} },
      "/payload/fulfillment_status",
      "is partial, but says not what was shipped: nothing is until fulfillments name it",
    ),
  ];
}

function ofFulfillment(
  { status, lines }: FulfillmentFact,
  pointer: string,
  known: ReadonlySet<string> | undefined,
): readonly EventWarning[] {
  if (status !== "success") return [];
  if (lines.every(({ quantity }) => quantity === 0)) {
    const detail =
      "name no units, so nothing is shipped by it; say them, or send the order with fulfillment_status fulfilled";
    return [warning({ kind: "shipment_without_units", values: {} }, `${pointer}/lines`, detail)];
  }
  return unknownLines(lines, pointer, known);
}

function unknownLines(
  named: readonly { readonly lineId: string }[],
  pointer: string,
  known: ReadonlySet<string> | undefined,
): readonly EventWarning[] {
  if (known === undefined) return [];
  const content = { kind: "unknown_line", values: {} } as const;
  const detail = "is no line of this order: it counts for nothing";
  return named.flatMap(({ lineId }, i) =>
    known.has(lineId) ? [] : [warning(content, `${pointer}/lines/${i}/line_id`, detail)],
  );
}

function ofShippedUnits({ lines, fulfillments }: OrderFacts): readonly EventWarning[] {
  const shipped = new Map<string, number>();
  for (const { status, lines: units } of fulfillments) {
    for (const { lineId, quantity } of status === "success" ? units : []) {
      shipped.set(lineId, addQuantities(shipped.get(lineId) ?? 0, quantity));
    }
  }
  return (lines ?? []).flatMap(({ lineId, quantity }, i) => {
    const units = shipped.get(lineId) ?? 0;
    if (units <= quantity) return [];
    const values = { ordered: String(quantity), shipped: String(units) };
    const detail = `is ${quantity}, the fulfillments ship ${units}`;
    return [warning({ kind: "shipped_above_ordered", values }, `/payload/lines/${i}/quantity`, detail)];
  });
}

function isGoods({ kind }: OrderLine): boolean {
  return kind === "product" || kind === "custom";
}

function warning(content: WarningContent, pointer: string, detail: string): EventWarning {
  return { ...content, pointer, detail: `${pointer.replace("/payload/", "")} ${detail}` };
}

function money(minor: bigint, { currency }: Money): string {
  return `${formatMajor(minor, currency)} ${currency}`;
}
