const yen = (minor: number) => ({ minor, currency: "JPY" });

/** Events of a yen store's orders in the format of a script; `n` is the minute at which it happened, and part of its delivery key. */
export function orderPaid(
  order: string,
  customer: string | null,
  n: number,
  more: { readonly price?: number; readonly [name: string]: unknown } = {},
): object {
  const { price = 1_000, ...facts } = more;
  const line = (id: string) => ({ line_id: `${order}-${id}`, quantity: 2, unit_price: yen(price) });
  return event("OrderPaid", order, n, {
    customer_id: customer,
    processed_at: minute(0),
    updated_at: minute(n),
    shop_currency: "JPY",
    taxes_included: true,
    lines: [line("a"), line("b")],
    ...facts,
  });
}

export function orderShipped(order: string, line: "a" | "b", n: number): object {
  const fulfillment = { fulfillment_id: `${order}-${line}`, lines: [{ line_id: `${order}-${line}`, quantity: 2 }] };
  return event("OrderFulfilled", order, n, { fulfillment: { ...fulfillment, updated_at: minute(n) } });
}

export function orderRefunded(order: string, line: "a" | "b", n: number): object {
  const refunded = { line_id: `${order}-${line}`, quantity: 1, restock: "return", subtotal: yen(500) };
  return event("OrderRefunded", order, n, { refund: { refund_id: `${order}-${n}`, lines: [refunded] } });
}

export function orderCancelled(order: string, n: number): object {
  return event("OrderCancelled", order, n, { cancelled_at: minute(n) });
}

function event(type: string, order: string, n: number, payload: object): object {
  return {
    type,
    delivery_key: `${type}-${order}-${n}`,
    occurred_at: minute(n),
    payload: { order_id: order, ...payload },
  };
}

function minute(n: number): string {
  return Temporal.Instant.from("2026-02-01T00:00:00Z").add({ minutes: n }).toString();
}
