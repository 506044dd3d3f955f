import type { OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import type {
  FulfillmentFact,
  Money,
  OrderFacts,
  OrderLine,
  OrderRefunded,
  OrderStated,
  RefundFact,
  RefundLine,
} from "../../src/platforms/neutral-events.ts";

/** Short forms of neutral events of one order "1": amounts are minor units, times are minutes of one day. */

export type Currency = "JPY" | "USD" | "BHD";

const DAY = Temporal.Instant.from("2026-03-01T00:00:00Z");

export function minute(n: number): Temporal.Instant {
  return DAY.add({ minutes: n });
}

export function money(minor: bigint | number, currency: Currency = "JPY"): Money {
  return { minor: BigInt(minor), currency };
}

export interface LineSpec {
  readonly price: number;
  readonly quantity?: number;
  readonly tax?: number;
  readonly discounts?: readonly (readonly [code: string, amount: number])[];
  readonly kind?: OrderLine["kind"];
  readonly productId?: string;
  readonly currentQuantity?: number;
  readonly currency?: Currency;
}

export function line(lineId: string, words: LineSpec): OrderLine {
  const currency = words.currency ?? "JPY";
  return {
    lineId,
    productId: words.productId ?? null,
    variantId: null,
    title: `Line ${lineId}`,
    quantity: words.quantity ?? 1,
    currentQuantity: words.currentQuantity ?? null,
    unitPrice: money(words.price, currency),
    discounts: (words.discounts ?? []).map(([code, amount], n) => ({
      code,
      discountRef: `${n}`,
      amount: money(amount, currency),
    })),
    tax: money(words.tax ?? 0, currency),
    kind: words.kind ?? "product",
  };
}

/** The order's body at a minute. It is paid if `paid` says so; everything else is as given. */
export function body(
  at: number,
  lines: readonly OrderLine[],
  more: Partial<OrderFacts> & { readonly paid?: boolean; readonly test?: boolean } = {},
): OrderStated {
  const { paid = true, test = false, ...facts } = more;
  return {
    ...envelope(at, test),
    type: "OrderUpdated",
    payload: {
      orderId: "1",
      customerId: "7",
      processedAt: minute(0),
      updatedAt: minute(at),
      financialStatus: paid ? "paid" : "pending",
      shopCurrency: lines[0]?.unitPrice.currency ?? "JPY",
      taxesIncluded: true,
      lines,
      fulfillments: [],
      refunds: [],
      ...facts,
    },
  };
}

export function fulfillment(
  at: number,
  id: string,
  units: Readonly<Record<string, number>>,
  status: FulfillmentFact["status"] = "success",
  updatedAt = at,
): FulfillmentFact {
  const lines = Object.entries(units).map(([lineId, quantity]) => ({ lineId, quantity }));
  return { fulfillmentId: id, status, createdAt: minute(at), updatedAt: minute(updatedAt), lines };
}

export function shipped(...words: Parameters<typeof fulfillment>): OrderEvent {
  const [at] = words;
  return {
    ...envelope(at, false),
    type: "OrderFulfilled",
    payload: { orderId: "1", fulfillment: fulfillment(...words) },
  };
}

export interface RefundSpec {
  readonly lines?: readonly (readonly [
    lineId: string,
    units: number,
    subtotal: number,
    tax?: number,
    restock?: RefundLine["restock"],
  ])[];
  /** Null: the transactions are unknown. */
  readonly moved: number | null;
  readonly shipping?: number;
  readonly shippingTax?: number;
  readonly currency?: Currency;
}

export function refund(at: number, id: string, words: RefundSpec): RefundFact {
  const currency = words.currency ?? "JPY";
  return {
    refundId: id,
    createdAt: minute(at),
    lines: (words.lines ?? []).map(([lineId, quantity, subtotal, tax = 0, restock = "return"]) => ({
      lineId,
      quantity,
      restock,
      subtotal: money(subtotal, currency),
      tax: money(tax, currency),
    })),
    shipping: money(words.shipping ?? 0, currency),
    shippingTax: money(words.shippingTax ?? 0, currency),
    otherAdjustments: money(0, currency),
    moneyMoved: words.moved === null ? null : money(words.moved, currency),
  };
}

export function refunded(...words: Parameters<typeof refund>): OrderRefunded {
  const [at] = words;
  return { ...envelope(at, false), type: "OrderRefunded", payload: { orderId: "1", refund: refund(...words) } };
}

export function cancelled(at: number): OrderEvent {
  return {
    ...envelope(at, false),
    type: "OrderCancelled",
    payload: { orderId: "1", cancelledAt: minute(at), reason: "customer" },
  };
}

function envelope(at: number, test: boolean) {
  return {
    platform: "test",
    subject: "order/1",
    factKey: `order/1@${at}`,
    occurredAt: minute(at),
    receivedAt: minute(at),
    entityVersion: minute(at),
    sourceTopic: "",
    test,
  };
}
