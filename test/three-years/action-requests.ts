import { type LineSpec, type OrderSpec, type StoreAction, unitPaid } from "./store-action.ts";
import { BONUS_COLLECTION, EXCLUDED_TAG, TIERS } from "./terms.ts";

/** How actions are sent to the service: as neutral events, or as requests. */

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

/** The event of an action; null: it is a request. `codes` has the codes of coupons by name. */
export function eventOf(action: StoreAction, codes: ReadonlyMap<string, string>): object | null {
  const { at, shopper } = action;
  const customer = { customer_id: shopper };
  switch (action.kind) {
    case "join": {
      const { birthday, accepts, isSignup } = action;
      const created = isSignup === true ? { created_at: at.toString() } : {};
      const consent = accepts === undefined ? {} : { accepts_marketing: accepts, consent_updated_at: at.toString() };
      const born = birthday === undefined ? {} : { birthday };
      const email = `${shopper}@example.com`;
      return event("CustomerUpserted", at, { ...customer, email, ...created, ...consent, ...born });
    }
    case "consent":
      return event("CustomerUpserted", at, { ...customer, accepts_marketing: action.accepts });
    case "birthday":
      return event("CustomerUpserted", at, { ...customer, birthday: action.birthday });
    case "flow": {
      const payload = { run_id: action.runId, customer: { id: shopper }, point_value: action.points };
      return event("FlowAdjustRequested", at, { ...payload, extends_expiration: action.extends });
    }
    case "order":
      return event("OrderPlaced", at, { ...customer, ...orderPayload(action.order, at, codes) });
    case "pay":
      return event("OrderPaid", at, { order_id: action.orderId });
    case "ship":
    case "unship":
      return event("OrderFulfilled", at, { order_id: action.orderId, fulfillment: fulfillmentOf(action) });
    case "refund":
      return event("OrderRefunded", at, { order_id: action.orderId, refund: refundOf(action) });
    case "cancel":
      return event("OrderCancelled", at, { order_id: action.orderId, cancelled_at: at.toString(), reason: "customer" });
    default:
      return null;
  }
}

/** The request that an action is; null: it is an event. */
export function requestOf(action: StoreAction, codes: ReadonlyMap<string, string>): Request | null {
  const customer_id = action.shopper;
  const balance = `${API}/point_balances/${customer_id}`;
  switch (action.kind) {
    case "give":
      return { method: "POST", path: `${API}/point_allotments`, body: { customer_id, point_value: action.points } };
    case "set":
      return { method: "POST", path: `${balance}/set_balances`, body: { balance: action.balance } };
    case "issue":
      return { method: "POST", path: `${API}/coupons`, body: { customer_id, point_value: action.points } };
    case "drop":
      return { method: "DELETE", path: `${API}/coupons/${codes.get(action.coupon) ?? "NONE"}` };
    case "place": {
      const { tier, minimum, skips } = action;
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

function orderPayload(order: OrderSpec, at: Temporal.Instant, codes: ReadonlyMap<string, string>): object {
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

function linePayload(line: LineSpec, code: string | undefined): object {
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

function fulfillmentOf(action: Extract<StoreAction, { readonly kind: "ship" | "unship" }>): object {
  const fulfillment_id = action.shipmentId;
  const at = action.at.toString();
  if (action.kind === "unship") return { fulfillment_id, status: "cancelled", updated_at: at, lines: [] };
  const created_at = (action.shippedAt ?? action.at).toString();
  const lines = action.lines.map(({ id, quantity }) => ({ line_id: id, quantity }));
  return { fulfillment_id, status: "success", created_at, updated_at: created_at, lines };
}

function refundOf(action: Extract<StoreAction, { readonly kind: "refund" }>): object {
  const { units, more = 0n, shipping = 0n } = action;
  const goods = units.reduce((sum, { line, count }) => sum + unitPaid(line) * count, 0n);
  return {
    refund_id: action.refundId,
    created_at: action.at.toString(),
    lines: units.map(({ line, count }) => ({
      line_id: line.id,
      quantity: count,
      restock: action.isUnshipped === true ? "cancel" : "return",
      subtotal: yen(unitPaid(line) * count),
    })),
    shipping: yen(shipping),
    money_moved: yen(goods + more + shipping),
  };
}

function yen(minor: bigint): object {
  return { minor, currency: CURRENCY };
}
