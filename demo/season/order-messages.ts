import { spread, total } from "../payloads/amounts.ts";
import { buildFulfillment } from "../payloads/fulfillment-payload.ts";
import { buildOrder } from "../payloads/order-payload.ts";
import type { FulfillmentSpec, LineSpec, OrderSpec, RefundSpec } from "../payloads/order-spec.ts";
import { type Message, message } from "../payloads/platform-json.ts";
import { buildRefund } from "../payloads/refund-payload.ts";
import { TIME_ZONE } from "../program.ts";
import { BONUS_COLLECTION, CATALOGUE, EXCLUDED_TAG } from "./catalogue.ts";
import type { KeptLine } from "./earning.ts";
import type { PlannedOrder } from "./plan-season.ts";

/** A coupon's code and its discount in yen. */
export interface UsedCoupon {
  readonly code: string;
  readonly worth: bigint;
}

/** The times of an order's steps. */
export interface Pace {
  readonly placedAt: Temporal.Instant;
  readonly secondsApart: number;
}

/** All messages of an order from the platform, and the lines that were not refunded. */
export interface OrderMessages {
  readonly messages: readonly Message[];
  readonly kept: readonly KeptLine[];
}

/** Returns the messages of one order from its placement to its end. */
export function orderMessages(planned: PlannedOrder, pace: Pace, coupon: UsedCoupon | null): OrderMessages {
  const at = (step: number) => shopTime(pace.placedAt.add({ seconds: step * pace.secondsApart }));
  const placed = placeOrder(planned, at(0), coupon);
  const paid: OrderSpec = { ...placed, financialStatus: "paid", updatedAt: at(1) };
  const isShipped = planned.fate !== "cancelled";
  const shipped = isShipped ? shipOrder(planned, paid, at) : { order: paid, messages: [] };
  const back = linesBack(planned, placed);
  return {
    messages: [
      message("orders/create", buildOrder(placed)),
      message("orders/paid", buildOrder(paid)),
      ...shipped.messages,
      ...(back.length === 0 ? [] : refundOrder(shipped.order, back, at(4), isShipped)),
    ],
    kept: placed.lines.filter((line) => !back.includes(line)).map(keptLine),
  };
}

function placeOrder({ order }: PlannedOrder, at: string, coupon: UsedCoupon | null): OrderSpec {
  const placed = { ...order, createdAt: at, updatedAt: at };
  if (coupon === null) return placed;
  const gross = order.lines.map(({ price, quantity }) => price * BigInt(quantity));
  const shares = spread(coupon.worth, gross);
  const lines = order.lines.map((line, i) => ({ ...line, discounts: [shares[i] ?? 0n] }));
  return { ...placed, lines, discounts: [{ code: coupon.code }] };
}

function shipOrder(
  { shipments }: PlannedOrder,
  paid: OrderSpec,
  at: (step: number) => string,
): { readonly order: OrderSpec; readonly messages: readonly Message[] } {
  const first = shipments === 1 ? paid.lines : paid.lines.slice(0, 1);
  const parcels = [first, paid.lines.slice(first.length)]
    .filter((lines) => lines.length > 0)
    .map((lines, i) => parcelOf(paid, lines, { n: i + 1, at: at(2 + i) }));
  const orders = parcels.map(
    ({ createdAt }, i): OrderSpec => ({ ...paid, fulfillments: parcels.slice(0, i + 1), updatedAt: createdAt }),
  );
  const messages = orders.flatMap((order, i) => {
    const topic = i === parcels.length - 1 ? "orders/fulfilled" : "orders/partially_fulfilled";
    const own = parcels
      .slice(i, i + 1)
      .map((parcel) => message("fulfillments/create", buildFulfillment(order, parcel)));
    return [...own, message(topic, buildOrder(order))];
  });
  return { order: orders.at(-1) ?? paid, messages };
}

function parcelOf(order: OrderSpec, lines: readonly LineSpec[], one: { n: number; at: string }): FulfillmentSpec {
  return {
    id: `${order.id}5${one.n}`,
    status: "success",
    createdAt: one.at,
    updatedAt: one.at,
    lines: lines.map(({ id, quantity }) => ({ lineId: id, quantity })),
  };
}

function linesBack({ fate }: PlannedOrder, { lines }: OrderSpec): readonly LineSpec[] {
  if (fate === "kept") return [];
  return fate === "first line returned" ? lines.slice(0, 1) : lines;
}

/** A refund of whole lines, and of the shipping if no line is kept; without a shipment it is a cancellation. */
function refundOrder(order: OrderSpec, back: readonly LineSpec[], at: string, isShipped: boolean): readonly Message[] {
  const isWhole = back.length === order.lines.length;
  const shipping = isWhole ? order.shipping : 0n;
  const refund: RefundSpec = {
    id: `${order.id}900`,
    createdAt: at,
    lines: back.map((line) => ({
      lineId: line.id,
      quantity: line.quantity,
      restock: isShipped ? "return" : "cancel",
      subtotal: netOf(line),
      tax: line.tax,
    })),
    shipping,
    shippingTax: 0n,
    moved: total(back.map(netOf)) + shipping,
  };
  const after: OrderSpec = {
    ...order,
    refunds: [refund],
    financialStatus: isWhole ? "refunded" : "partially_refunded",
    cancelledAt: isShipped ? null : at,
    updatedAt: at,
  };
  const topic = isShipped ? "orders/updated" : "orders/cancelled";
  return [message("refunds/create", buildRefund(after, refund)), message(topic, buildOrder(after))];
}

function keptLine(line: LineSpec): KeptLine {
  const product = CATALOGUE.find(({ id }) => id === line.productId);
  return {
    amount: netOf(line),
    isBonus: product?.collections.includes(BONUS_COLLECTION) ?? false,
    isTagged: product?.tags.includes(EXCLUDED_TAG) ?? false,
  };
}

function netOf(line: LineSpec): bigint {
  return line.price * BigInt(line.quantity) - total(line.discounts);
}

/** Formats a time like the platform: to the second, with the shop's offset. */
export function shopTime(instant: Temporal.Instant): string {
  return instant.toZonedDateTimeISO(TIME_ZONE).toString({ smallestUnit: "second", timeZoneName: "never" });
}
