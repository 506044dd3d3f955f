import { decimal, moneySet, priced } from "./amounts.ts";
import { buildLine, lineOf } from "./line-payload.ts";
import { calculatedRefund, type OrderSpec, type RefundSpec } from "./order-spec.ts";
import type { Body } from "./platform-json.ts";

/** The body of refunds/create, also used inside an order: lines, adjustments and the money that moved. */
export function buildRefund(order: OrderSpec, refund: RefundSpec): Body {
  const { currency } = order;
  return {
    id: BigInt(refund.id),
    admin_graphql_api_id: `gid://shopify/Refund/${refund.id}`,
    order_id: BigInt(order.id),
    created_at: refund.createdAt,
    processed_at: refund.createdAt,
    note: null,
    user_id: null,
    duties: [],
    total_duties_set: moneySet(0n, currency),
    return: null,
    restock: refund.lines.length > 0,
    additional_fees: [],
    total_additional_fees_set: moneySet(0n, currency),
    refund_shipping_lines: shippingLines(order, refund),
    order_adjustments: adjustments(order, refund),
    refund_line_items: refund.lines.map((line, i) => ({
      id: BigInt(refund.id) + BigInt(i) + 1n,
      quantity: line.quantity,
      line_item_id: BigInt(line.lineId),
      location_id: null,
      restock_type: line.restock,
      subtotal: Number(decimal(line.subtotal, currency)),
      total_tax: Number(decimal(line.tax, currency)),
      subtotal_set: moneySet(line.subtotal, currency),
      total_tax_set: moneySet(line.tax, currency),
      line_item: buildLine(order, lineOf(order, line.lineId), 0, lineOf(order, line.lineId).quantity),
    })),
    transactions: refund.moved === 0n ? [] : [transaction(order, refund)],
  };
}

/** The platform lists refunded shipping twice: here, and among the adjustments. */
function shippingLines(order: OrderSpec, refund: RefundSpec): Body[] {
  if (refund.shipping === 0n) return [];
  return [
    { id: BigInt(refund.id) + 100n, subtotal_amount_set: moneySet(refund.shipping, order.currency), shipping_line: {} },
  ];
}

/** Negative for what is refunded beyond the lines; an edit's removal, which moves no money, has none. */
function adjustments(order: OrderSpec, refund: RefundSpec): Body[] {
  const discrepancy = refund.moved === 0n ? 0n : calculatedRefund(order, refund) - refund.moved;
  const shipping = adjustment(order, refund, "shipping_refund", -refund.shipping, -refund.shippingTax);
  const rest = adjustment(order, refund, "refund_discrepancy", discrepancy, 0n);
  return [...(refund.shipping === 0n ? [] : [shipping]), ...(discrepancy === 0n ? [] : [rest])];
}

function adjustment(order: OrderSpec, refund: RefundSpec, kind: string, amount: bigint, tax: bigint): Body {
  return {
    id: BigInt(refund.id) + 200n,
    order_id: BigInt(order.id),
    refund_id: BigInt(refund.id),
    kind,
    reason: kind === "shipping_refund" ? "Shipping refund" : "Refund discrepancy",
    ...priced("amount", amount, order.currency),
    ...priced("tax_amount", tax, order.currency),
  };
}

function transaction(order: OrderSpec, refund: RefundSpec): Body {
  const unsettled = { amount: "0.0", currency: order.currency };
  return {
    id: BigInt(refund.id) + 300n,
    order_id: BigInt(order.id),
    kind: "refund",
    gateway: "manual",
    status: "success",
    message: null,
    created_at: refund.createdAt,
    test: false,
    parent_id: null,
    processed_at: refund.createdAt,
    amount: decimal(refund.moved, order.currency),
    currency: order.currency,
    total_unsettled_set: { presentment_money: unsettled, shop_money: unsettled },
    manual_payment_gateway: true,
  };
}
