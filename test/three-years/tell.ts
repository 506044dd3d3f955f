import { type Deed, type LineWords, type OrderWords, unitPaid } from "./deed.ts";
import { BONUS_COLLECTION, EXCLUDED_TAG, TIERS } from "./terms.ts";

/** How deeds are told to the service: as neutral events, or as requests. */

export interface Request {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

const API = "/api/storefront";
const PRODUCTS = { tea: "product-tea", bonus: "product-bonus", excluded: "product-excluded" };
const CURRENCY = "JPY";

/** The products that orders are made of. */
export function productEvents(at: Temporal.Instant): readonly object[] {
  const product = (product_id: string, tags: readonly string[], collections: readonly string[]) =>
    event("ProductUpserted", at, { product_id, tags, collections });
  return [
    product(PRODUCTS.tea, [], []),
    product(PRODUCTS.bonus, [], [BONUS_COLLECTION]),
    product(PRODUCTS.excluded, [EXCLUDED_TAG], []),
  ];
}

/** The event that tells a deed; null: it is a request. `codes` has the codes of coupons by name. */
export function eventOf(deed: Deed, codes: ReadonlyMap<string, string>): object | null {
  const { at, shopper } = deed;
  const customer = { customer_id: shopper };
  switch (deed.kind) {
    case "join": {
      const { birthday, accepts, isSignup } = deed;
      const created = isSignup === true ? { created_at: at.toString() } : {};
      const consent = accepts === undefined ? {} : { accepts_marketing: accepts, consent_updated_at: at.toString() };
      const born = birthday === undefined ? {} : { birthday };
      const email = `${shopper}@example.com`;
      return event("CustomerUpserted", at, { ...customer, email, ...created, ...consent, ...born });
    }
    case "consent":
      return event("CustomerUpserted", at, { ...customer, accepts_marketing: deed.accepts });
    case "birthday":
      return event("CustomerUpserted", at, { ...customer, birthday: deed.birthday });
    case "flow": {
      const payload = { run_id: deed.runId, customer: { id: shopper }, point_value: deed.points };
      return event("FlowAdjustRequested", at, { ...payload, extends_expiration: deed.extends });
    }
    case "order":
      return event("OrderPlaced", at, { ...customer, ...orderPayload(deed.order, at, codes) });
    case "pay":
      return event("OrderPaid", at, { order_id: deed.orderId });
    case "ship":
    case "unship":
      return event("OrderFulfilled", at, { order_id: deed.orderId, fulfillment: fulfillmentOf(deed) });
    case "refund":
      return event("OrderRefunded", at, { order_id: deed.orderId, refund: refundOf(deed) });
    case "cancel":
      return event("OrderCancelled", at, { order_id: deed.orderId, cancelled_at: at.toString(), reason: "customer" });
    default:
      return null;
  }
}

/** The request that a deed is; null: it is an event. */
export function requestOf(deed: Deed, codes: ReadonlyMap<string, string>): Request | null {
  const customer_id = deed.shopper;
  const balance = `${API}/point_balances/${customer_id}`;
  switch (deed.kind) {
    case "give":
      return { method: "POST", path: `${API}/point_allotments`, body: { customer_id, point_value: deed.points } };
    case "set":
      return { method: "POST", path: `${balance}/set_balances`, body: { balance: deed.balance } };
    case "issue":
      return { method: "POST", path: `${API}/coupons`, body: { customer_id, point_value: deed.points } };
    case "drop":
      return { method: "DELETE", path: `${API}/coupons/${codes.get(deed.coupon) ?? "NONE"}` };
    case "place": {
      const { tier, minimum, skips } = deed;
      const placed = tier === undefined ? {} : { tier: TIERS[tier] };
      const held = minimum === undefined ? {} : { minimum_tier: minimum === null ? null : TIERS[minimum] };
      const skipped = skips === undefined ? {} : { skip_next_check: skips };
      return { method: "POST", path: `${balance}/tiers`, body: { ...placed, ...held, ...skipped } };
    }
    default:
      return null;
  }
}

function event(type: string, at: Temporal.Instant, payload: object): object {
  return { type, occurred_at: at.toString(), payload };
}

function orderPayload(order: OrderWords, at: Temporal.Instant, codes: ReadonlyMap<string, string>): object {
  const processedAt = (order.processedAt ?? at).toString();
  const code = order.coupon === undefined ? undefined : (codes.get(order.coupon) ?? `OTHER-${order.coupon}`);
  const off = order.lines.reduce((sum, line) => sum + line.off, 0n);
  return {
    order_id: order.id,
    processed_at: processedAt,
    ...(order.isPending === true ? {} : { paid_at: processedAt }),
    financial_status: order.isPending === true ? "pending" : "paid",
    shop_currency: CURRENCY,
    taxes_included: true,
    lines: order.lines.map((line) => linePayload(line, code)),
    ...(code === undefined ? {} : { coupons: [{ code, amount: yen(off) }] }),
  };
}

function linePayload(line: LineWords, code: string | undefined): object {
  const { goods } = line;
  const kinds = { tea: "product", bonus: "product", excluded: "product", gift: "gift_card", tip: "tip" };
  return {
    line_id: line.id,
    kind: kinds[goods],
    ...(goods === "gift" || goods === "tip" ? {} : { product_id: PRODUCTS[goods] }),
    quantity: line.quantity,
    unit_price: yen(line.price),
    discounts: line.off === 0n || code === undefined ? [] : [{ code, amount: yen(line.off) }],
  };
}

function fulfillmentOf(deed: Extract<Deed, { readonly kind: "ship" | "unship" }>): object {
  const fulfillment_id = deed.shipmentId;
  const at = deed.at.toString();
  if (deed.kind === "unship") return { fulfillment_id, status: "cancelled", updated_at: at, lines: [] };
  const created_at = (deed.shippedAt ?? deed.at).toString();
  const lines = deed.lines.map(({ id, quantity }) => ({ line_id: id, quantity }));
  return { fulfillment_id, status: "success", created_at, updated_at: created_at, lines };
}

function refundOf(deed: Extract<Deed, { readonly kind: "refund" }>): object {
  const { units, more = 0n, shipping = 0n } = deed;
  const goods = units.reduce((sum, { line, count }) => sum + unitPaid(line) * count, 0n);
  return {
    refund_id: deed.refundId,
    created_at: deed.at.toString(),
    lines: units.map(({ line, count }) => ({
      line_id: line.id,
      quantity: count,
      restock: deed.isUnshipped === true ? "cancel" : "return",
      subtotal: yen(unitPaid(line) * count),
    })),
    shipping: yen(shipping),
    money_moved: yen(goods + more + shipping),
  };
}

function yen(minor: bigint): object {
  return { minor, currency: CURRENCY };
}
