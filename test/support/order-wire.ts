import type { StoredFacts } from "../../src/orders/facts/order-facts.ts";
import type { FulfillmentFact, Money, OrderLine, RefundFact } from "../../src/platforms/neutral-events.ts";

/** An order's facts in the format of a script (docs/intake-events.md): ids as text, money as integers of minor units. */
export function wireOrder({ orderId, stated, fulfillments, refunds, ...facts }: StoredFacts): object {
  return withoutUnknown({
    order_id: orderId,
    customer_id: stated.customerId,
    email: stated.email,
    created_at: stated.createdAt?.toString(),
    processed_at: stated.processedAt?.toString(),
    paid_at: facts.paidAt?.toString(),
    cancelled_at: facts.cancelledAt?.toString(),
    financial_status: stated.financialStatus,
    shop_currency: stated.shopCurrency,
    taxes_included: stated.taxesIncluded,
    lines: (stated.lines ?? []).map(wireLine),
    fulfillments: fulfillments.map(wireFulfillment),
    refunds: refunds.map(wireRefund),
  });
}

function wireLine(line: OrderLine): object {
  return withoutUnknown({
    line_id: line.lineId,
    product_id: line.productId,
    title: line.title,
    quantity: line.quantity,
    current_quantity: line.currentQuantity,
    unit_price: wireMoney(line.unitPrice),
    discounts: line.discounts.map(({ code, amount }) => ({ code, amount: wireMoney(amount) })),
    tax: wireMoney(line.tax),
    kind: line.kind,
    tags: line.tags,
    collections: line.collections,
  });
}

function wireFulfillment(fact: FulfillmentFact): object {
  return {
    fulfillment_id: fact.fulfillmentId,
    status: fact.status,
    created_at: fact.createdAt.toString(),
    updated_at: fact.updatedAt.toString(),
    lines: fact.lines.map(({ lineId, quantity }) => ({ line_id: lineId, quantity })),
  };
}

function wireRefund(fact: RefundFact): object {
  return {
    refund_id: fact.refundId,
    created_at: fact.createdAt.toString(),
    lines: fact.lines.map(({ lineId, quantity, restock, subtotal, tax }) => ({
      ...{ quantity, restock },
      line_id: lineId,
      subtotal: wireMoney(subtotal),
      tax: wireMoney(tax),
    })),
    shipping: wireMoney(fact.shipping),
    shipping_tax: wireMoney(fact.shippingTax),
    money_moved: fact.moneyMoved === null ? null : wireMoney(fact.moneyMoved),
  };
}

function wireMoney({ minor, currency }: Money): object {
  return { minor: minor.toString(), currency };
}

function withoutUnknown(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
