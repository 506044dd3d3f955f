import { type Lane, pause, pick, sendOnce, TRIES_MAX } from "./send.ts";

const AT = "2026-03-01T09:30:00Z";
const YEN = 100;
const COPIES_MAX = 3;
const REFUNDED_SHARE = 0.4;
const UNITS_MAX = 4;

const yen = (minor: number) => ({ minor, currency: "JPY" });

interface OrderInput {
  readonly id: string;
  readonly customer: string;
  /** Of one unit, in hundreds of yen: the points of a unit. */
  readonly hundreds: number;
  readonly quantity: number;
  /** The code of a coupon that the buyer used. */
  readonly code?: string;
}

/** Sends an order, paid and shipped, to be taken in one to three times. Of some, single units are refunded in the same way. */
export async function sendOrder(lane: Lane, mark: string): Promise<void> {
  const { random, journal } = lane;
  const isRefunded = lane.buyers.length > 0 && random() < REFUNDED_SHARE;
  const order = {
    id: mark,
    customer: pick(random, isRefunded ? lane.buyers : lane.customers),
    hundreds: 1 + Math.floor(random() * 50),
    quantity: isRefunded ? 1 + Math.floor(random() * UNITS_MAX) : 1,
  };
  if (!(await sendPaidOrder(lane, order))) return;
  const refunds = isRefunded ? 1 + Math.floor(random() * order.quantity) : 0;
  for (let n = 1; n <= refunds; n++) {
    if (await sendEvent(lane, refundOf(order, n), `${mark}-r${n}`))
      journal.order(mark, order.hundreds * (order.quantity - n));
  }
}

/** Sends an order, paid and shipped. Returns whether it was accepted. */
export async function sendPaidOrder(lane: Lane, order: OrderInput): Promise<boolean> {
  const { id, customer, hundreds, quantity, code } = order;
  const payload = {
    order_id: id,
    customer_id: customer,
    processed_at: AT,
    paid_at: AT,
    financial_status: "paid",
    shop_currency: "JPY",
    taxes_included: true,
    lines: [{ line_id: "1", quantity, unit_price: yen(hundreds * YEN) }],
    fulfillments: [{ fulfillment_id: `f-${id}`, status: "success", lines: [{ line_id: "1", quantity }] }],
    ...(code === undefined ? {} : { coupons: [{ code, amount: yen(1) }] }),
  };
  const isAccepted = await sendEvent(lane, { type: "OrderPaid", occurred_at: AT, payload }, id);
  if (isAccepted) lane.journal.order(id, hundreds * quantity);
  return isAccepted;
}

function refundOf({ id, hundreds }: OrderInput, n: number): object {
  const worth = yen(hundreds * YEN);
  const lines = [{ line_id: "1", quantity: 1, subtotal: worth, restock: "return" }];
  const refund = { refund_id: `r-${id}-${n}`, created_at: AT, lines, money_moved: worth };
  return { type: "OrderRefunded", occurred_at: AT, payload: { order_id: id, refund } };
}

/** Sends an event one to three times, to any node. Returns whether it was accepted at least once. */
async function sendEvent(lane: Lane, event: object, key: string): Promise<boolean> {
  const copies = 1 + Math.floor(lane.random() * COPIES_MAX);
  let accepted = 0;
  for (let tries = 0; accepted < copies && tries < TRIES_MAX; tries++) {
    const answer = await sendOnce(lane, {
      path: "/intake/events",
      body: { ...event, delivery_key: `${key}-${accepted}` },
    });
    if (answer?.status === 202) accepted++;
    else if (lane.isEnding() && accepted > 0) break;
    else await pause();
  }
  return accepted > 0;
}
