import { decimal, moneySet, priced, total } from "./amounts.ts";
import { buildCustomer } from "./customer-payload.ts";
import { buildFulfillment } from "./fulfillment-payload.ts";
import { buildLine, currentQuantityOf, shippedOf, taxLines } from "./line-payload.ts";
import { type OrderSpec, sumsOf } from "./order-spec.ts";
import type { Body } from "./platform-json.ts";
import { buildRefund } from "./refund-payload.ts";

/** The body of the six order topics, which all have this shape. */
export function buildOrder(order: OrderSpec): Body {
  return {
    id: BigInt(order.id),
    admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
    app_id: null,
    buyer_accepts_marketing: false,
    cancel_reason: order.cancelledAt === null ? null : "customer",
    cancelled_at: order.cancelledAt,
    closed_at: null,
    confirmed: true,
    contact_email: order.customer?.email ?? null,
    created_at: order.createdAt,
    customer_locale: "en",
    email: order.customer?.email ?? "",
    estimated_taxes: false,
    financial_status: order.financialStatus,
    fulfillment_status: fulfillmentStatus(order),
    name: `#${order.number}`,
    note: null,
    note_attributes: [],
    number: order.number - 1000,
    order_number: order.number,
    payment_gateway_names: ["manual"],
    processed_at: order.createdAt,
    source_name: "web",
    tags: "",
    tax_exempt: false,
    taxes_included: order.taxesIncluded,
    test: false,
    updated_at: order.updatedAt,
    customer: order.customer === null ? null : buildCustomer(order.customer),
    ...buildSums(order),
    ...buildDiscounts(order),
    fulfillments: order.fulfillments.map((fulfillment) => buildFulfillment(order, fulfillment)),
    line_items: order.lines.map((line) =>
      buildLine(order, line, shippedOf(order, line.id), currentQuantityOf(order, line)),
    ),
    refunds: order.refunds.map((refund) => buildRefund(order, refund)),
    shipping_lines: [buildShipping(order)],
  };
}

function buildSums(order: OrderSpec): Body {
  const { currency } = order;
  const sums = sumsOf(order);
  return {
    currency,
    presentment_currency: currency,
    ...priced("current_subtotal_price", sums.currentSubtotal, currency),
    ...priced("subtotal_price", sums.subtotal, currency),
    ...priced("total_discounts", sums.discounts, currency),
    ...priced("total_line_items_price", sums.lineItems, currency),
    total_outstanding: decimal(order.financialStatus === "pending" ? sums.total : 0n, currency),
    ...priced("total_price", sums.total, currency),
    total_shipping_price_set: moneySet(order.shipping, currency),
    ...priced("total_tax", sums.tax, currency),
    total_tip_received: decimal(sums.tip, currency),
    tax_lines: taxLines(sums.tax, currency),
  };
}

function buildDiscounts(order: OrderSpec): Body {
  const amounts = order.discounts.map((_, i) => total(order.lines.map((line) => line.discounts[i] ?? 0n)));
  return {
    discount_applications: order.discounts.map(({ code }, i) => ({
      target_type: "line_item",
      type: code === null ? "automatic" : "discount_code",
      value: decimal(amounts[i] ?? 0n, order.currency),
      value_type: "fixed_amount",
      allocation_method: "across",
      target_selection: "all",
      ...(code === null ? { title: "Automatic" } : { code }),
    })),
    discount_codes: order.discounts.flatMap(({ code }, i) =>
      code === null ? [] : [{ code, amount: decimal(amounts[i] ?? 0n, order.currency), type: "fixed_amount" }],
    ),
  };
}

function buildShipping(order: OrderSpec): Body {
  return {
    id: BigInt(order.id) + 7n,
    carrier_identifier: null,
    code: "Standard",
    ...priced("discounted_price", order.shipping, order.currency),
    is_removed: false,
    ...priced("price", order.shipping, order.currency),
    source: "shopify",
    title: "Standard",
    tax_lines: taxLines(order.shippingTax, order.currency),
    discount_allocations: [],
  };
}

function fulfillmentStatus(order: OrderSpec): "fulfilled" | "partial" | null {
  const goods = order.lines.filter(({ kind }) => kind !== "tip");
  const open = goods.map((line) => currentQuantityOf(order, line) - shippedOf(order, line.id));
  if (open.every((quantity) => quantity <= 0)) return "fulfilled";
  return goods.some((line) => shippedOf(order, line.id) > 0) ? "partial" : null;
}
