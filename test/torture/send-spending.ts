import { type Lane, persist, pick, type Sent } from "./send.ts";
import { sendPaidOrder } from "./send-order.ts";

const POINTS_MAX = 20;
/** Only some customers have reservations: where there are none, an answered balance is known exactly. */
const HOLDERS = 8;
const TTL_SECONDS = [600, 7_200, 86_400];

/** Spends points by a coupon or a reservation, which is used, taken back, or left until its time is over. */
export async function sendSpending(lane: Lane, mark: string): Promise<void> {
  if (lane.random() < 0.5) await sendCoupon(lane, mark);
  else await sendReservation(lane, mark);
}

/** Sends a request until it is answered. Returns the data of the answer, or null if there are too few points or it has `endedBy` as its code. */
async function sendSpend(
  lane: Lane,
  mark: string,
  sent: Sent,
  endedBy?: string,
): Promise<Record<string, string> | null> {
  const answer = await persist(lane, sent);
  if (answer === null) return null;
  if (answer.status === 200) return JSON.parse(answer.text).data;
  const isExpected = answer.status === 400 || (endedBy !== undefined && answer.text.includes(endedBy));
  if (!isExpected) lane.journal.fault(`${sent.path} ${mark}`, answer.status, answer.text);
  return null;
}

async function sendCoupon(lane: Lane, mark: string): Promise<void> {
  const { random, journal } = lane;
  const customer = pick(random, lane.customers);
  const points = 1 + Math.floor(random() * POINTS_MAX);
  const body = { customer_id: customer, point_value: points };
  const coupon = await sendSpend(lane, mark, { path: "/api/storefront/coupons", body, key: mark });
  if (coupon === null) return;
  const { id = "", code = "" } = coupon;
  journal.spend(`coupon/${id}`, 0); // unused, it expires
  const fate = random();
  if (fate < 0.3) {
    await sendSpend(lane, mark, { method: "DELETE", path: `/api/storefront/coupons/${code}`, body: {} });
  } else if (fate < 0.7) {
    const used = { customer, hundreds: 1 + Math.floor(random() * 50), quantity: 1, code };
    // Two orders at the same time have the same code: one of them uses it.
    const orders = await Promise.all([`${mark}-a`, `${mark}-b`].map((id) => sendPaidOrder(lane, { ...used, id })));
    if (orders.includes(true)) journal.spend(`coupon/${id}`, -points);
  }
}

async function sendReservation(lane: Lane, mark: string): Promise<void> {
  const { random, journal } = lane;
  const points = 1 + Math.floor(random() * POINTS_MAX);
  const body = {
    customer_id: pick(random, lane.customers.slice(-HOLDERS)),
    point_value: points,
    ttl_seconds: pick(random, TTL_SECONDS),
  };
  const reservation = await sendSpend(lane, mark, { path: "/api/storefront/reservations", body, key: mark });
  if (reservation === null) return;
  const { id = "" } = reservation;
  const path = `/api/storefront/reservations/${id}`;
  journal.spend(`hold/${id}`, 0);
  const fate = random();
  if (fate < 0.3)
    await sendSpend(lane, mark, { path: `${path}/release`, body: {}, key: `${mark}-end` }, "reservation_released");
  else if (fate < 0.8) {
    const taken = 1 + Math.floor(random() * points);
    const sent = { path: `${path}/capture`, body: { point_value: taken }, key: `${mark}-end` };
    const captured = await sendSpend(lane, mark, sent, "reservation_released");
    if (captured !== null) journal.spend(`hold/${id}`, -taken);
  }
}
