import { CATALOGUE, type Product } from "../season/catalogue.ts";
import type { Dice } from "../season/dice.ts";
import type { Member } from "./crowd.ts";

/** The actions of the store's customers as neutral events (docs/intake-events.md). */

export interface OrderLine {
  readonly id: string;
  readonly product: Product;
  readonly quantity: number;
  /** The discount of the whole line, in yen. */
  readonly off: bigint;
}

export interface PlacedOrder {
  readonly id: string;
  readonly member: Member;
  readonly lines: readonly OrderLine[];
}

/** A coupon used in an order. */
export interface SpentCoupon {
  readonly code: string;
  readonly yen: bigint;
}

export function productEvents(at: Temporal.Instant): object[] {
  return CATALOGUE.map(({ id, tags, collections }) =>
    event("ProductUpserted", at, { product_id: id, tags, collections }),
  );
}

export function joinEvent(member: Member, at: Temporal.Instant): object {
  const { id, email, name, birthday, acceptsMarketing } = member;
  return event("CustomerUpserted", at, {
    customer_id: id,
    email,
    name,
    created_at: at.toString(),
    accepts_marketing: acceptsMarketing,
    consent_updated_at: at.toString(),
    ...(birthday === null ? {} : { birthday }),
  });
}

/** Creates an order of one to three products; a coupon is deducted from the most expensive line. */
export function makeOrder(dice: Dice, id: string, member: Member, coupon: SpentCoupon | null): PlacedOrder {
  const products = dice.shuffle(CATALOGUE).slice(0, 1 + dice.below(3));
  const sorted = products.toSorted((a, b) => Number(b.price - a.price));
  const lines = sorted.map((product, n) => {
    const quantity = 1 + (dice.chance(0.25) ? 1 : 0);
    const price = product.price * BigInt(quantity);
    const off = n > 0 || coupon === null ? 0n : coupon.yen < price ? coupon.yen : price;
    return { id: `${id}-${n + 1}`, product, quantity, off };
  });
  return { id, member, lines };
}

/** The order is paid when it is placed, and shipped at once unless it ships later. */
export function orderEvent(
  order: PlacedOrder,
  at: Temporal.Instant,
  { coupon, shipsLater }: { readonly coupon: SpentCoupon | null; readonly shipsLater: boolean },
): object {
  const off = order.lines.reduce((sum, line) => sum + line.off, 0n);
  return event("OrderPlaced", at, {
    order_id: order.id,
    order_name: `#${order.id.slice(-6)}`,
    customer_id: order.member.id,
    processed_at: at.toString(),
    paid_at: at.toString(),
    financial_status: "paid",
    shop_currency: "JPY",
    taxes_included: true,
    total: yen(totalOf(order)),
    lines: order.lines.map((line) => lineOf(line, coupon)),
    ...(coupon === null ? {} : { coupons: [{ code: coupon.code, amount: yen(off) }] }),
    ...(shipsLater ? {} : { fulfillments: [fulfillment(order, at)] }),
  });
}

export function shipEvent(order: PlacedOrder, at: Temporal.Instant): object {
  return event("OrderFulfilled", at, { order_id: order.id, fulfillment: fulfillment(order, at) });
}

/** A refund of one piece of the first line. */
export function refundEvent(order: PlacedOrder, at: Temporal.Instant): object {
  const [line] = order.lines;
  const paid = line === undefined ? 0n : line.product.price - line.off / BigInt(line.quantity);
  return event("OrderRefunded", at, {
    order_id: order.id,
    refund: {
      refund_id: `${order.id}-r`,
      created_at: at.toString(),
      lines: [{ line_id: line?.id, quantity: 1, restock: "return", subtotal: yen(paid) }],
      money_moved: yen(paid),
    },
  });
}

export function cancelEvent(order: PlacedOrder, at: Temporal.Instant): object {
  return event("OrderCancelled", at, { order_id: order.id, cancelled_at: at.toString(), reason: "customer" });
}

function totalOf({ lines }: PlacedOrder): bigint {
  return lines.reduce((sum, { product, quantity, off }) => sum + product.price * BigInt(quantity) - off, 0n);
}

function lineOf({ id, product, quantity, off }: OrderLine, coupon: SpentCoupon | null): object {
  return {
    line_id: id,
    kind: "product",
    product_id: product.id,
    title: product.title,
    quantity,
    unit_price: yen(product.price),
    discounts: coupon === null || off === 0n ? [] : [{ code: coupon.code, amount: yen(off) }],
  };
}

function fulfillment({ id, lines }: PlacedOrder, at: Temporal.Instant): object {
  return {
    fulfillment_id: `${id}-f`,
    status: "success",
    created_at: at.toString(),
    updated_at: at.toString(),
    lines: lines.map((line) => ({ line_id: line.id, quantity: line.quantity })),
  };
}

function event(type: string, at: Temporal.Instant, payload: object): object {
  return { type, occurred_at: at.toString(), payload };
}

function yen(minor: bigint): object {
  return { minor: Number(minor), currency: "JPY" };
}
