/** Customers that exist before the first event. */
export const CUSTOMERS = 10_000;
export const FIRST_CUSTOMER = 7_000_000_000_000;
/** A yen store that awards on delivery; a line that needs no shipment is awarded at once. */
export const PROGRAM = {
  store: { currency: "JPY" },
  earning: { pending_days: 0 },
  tiers: { rules: [{ name: "Member", currency_spent_requirement: 0, point_value: 1, currency_value: 100 }] },
};

const PAID_AT = "2026-02-01T10:00:00Z";

/** An order with one event and two lines that are not shipped: two allotments. */
export function orderEvent(n: number): object {
  const line = (name: string) => ({
    line_id: `${n}-${name}`,
    quantity: 1,
    requires_shipping: false,
    unit_price: { minor: 100_000, currency: "JPY" },
  });
  return {
    type: "OrderPaid",
    delivery_key: `paid-${n}`,
    occurred_at: PAID_AT,
    payload: {
      order_id: `order-${n}`,
      customer_id: String(FIRST_CUSTOMER + (n % CUSTOMERS)),
      shop_currency: "JPY",
      taxes_included: true,
      processed_at: PAID_AT,
      lines: [line("a"), line("b")],
    },
  };
}
