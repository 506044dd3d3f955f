import { priced } from "./amounts.ts";
import type { LineSpec, OrderSpec } from "./order-spec.ts";
import type { Body } from "./platform-json.ts";

/** A line item of an order; orders, fulfilments and refunds differ in `shipped` and `currentQuantity`. */
export function buildLine(order: OrderSpec, line: LineSpec, shipped: number, currentQuantity: number): Body {
  const isProduct = line.kind !== "tip";
  return {
    id: BigInt(line.id),
    admin_graphql_api_id: `gid://shopify/LineItem/${line.id}`,
    attributed_staffs: [],
    current_quantity: currentQuantity,
    fulfillable_quantity: Math.max(0, currentQuantity - shipped),
    fulfillment_service: "manual",
    fulfillment_status: shipped === 0 ? null : shipped < line.quantity ? "partial" : "fulfilled",
    gift_card: line.kind === "gift_card",
    grams: 0,
    name: line.title,
    ...priced("price", line.price, order.currency),
    product_exists: isProduct,
    product_id: line.productId === null ? null : BigInt(line.productId),
    properties: [],
    quantity: line.quantity,
    requires_shipping: line.kind === "product",
    sku: isProduct ? `SKU-${line.id}` : null,
    taxable: line.tax > 0n,
    title: line.title,
    ...priced("total_discount", 0n, order.currency),
    variant_id: null,
    variant_inventory_management: null,
    variant_title: null,
    vendor: null,
    tax_lines: taxLines(line.tax, order.currency),
    duties: [],
    discount_allocations: line.discounts.flatMap((amount, i) =>
      amount === 0n ? [] : [{ ...priced("amount", amount, order.currency), discount_application_index: i }],
    ),
  };
}

export function taxLines(tax: bigint, currency: string): Body[] {
  return tax === 0n ? [] : [{ title: "Tax", rate: 0.1, channel_liable: false, ...priced("price", tax, currency) }];
}

/** The shipped quantity of a line, without cancelled shipments. */
export function shippedOf(order: OrderSpec, lineId: string): number {
  const parts = order.fulfillments.filter(({ status }) => status === "success").flatMap(({ lines }) => lines);
  return parts.filter((part) => part.lineId === lineId).reduce((sum, { quantity }) => sum + quantity, 0);
}

/** The quantity of a line after refunds and removals. */
export function currentQuantityOf(order: OrderSpec, line: LineSpec): number {
  const gone = order.refunds.flatMap(({ lines }) => lines).filter(({ lineId }) => lineId === line.id);
  return gone.reduce((left, { quantity }) => left - quantity, line.quantity);
}

export function lineOf(order: OrderSpec, lineId: string): LineSpec {
  const line = order.lines.find(({ id }) => id === lineId);
  if (line === undefined) throw new Error(`order ${order.id} has no line ${lineId}`);
  return line;
}
