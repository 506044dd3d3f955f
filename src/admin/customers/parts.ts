import type { OrderNames } from "../../explain/read-order-names.ts";
import { type ListedEntry, selectHistory } from "../../history/history-queries.ts";
import { formatInstant } from "../../time/store-time.ts";
import { READ_ROWS } from "../list.ts";
import type { Part } from "./list-parts.ts";
import {
  type CustomerCoupon,
  type CustomerOrder,
  type CustomerReservation,
  selectCustomerCoupons,
  selectCustomerOrders,
  selectReservations,
} from "./part-queries.ts";
import type { CouponRow, CustomerOrderRow, HistoryRow, ReservationRow } from "./schema.ts";

export const couponPart: Part<CustomerCoupon> = {
  select: selectCustomerCoupons,
  positionOf: ({ issuedAt: at, uid: id }) => ({ at, id }),
};

/** A coupon's row; `names`: of the orders that used coupons, by the coupon's uid. An open coupon that an order has used is shown as used. */
export function customerCouponView(
  row: CustomerCoupon,
  names: ReadonlyMap<string, OrderNames>,
  now: Temporal.Instant,
): CouponRow {
  const isOver = Temporal.Instant.compare(row.expiresAt, now) <= 0;
  return {
    uid: row.uid,
    code: row.code,
    point_value: Number(row.pointValue),
    currency_value: Number(row.currencyValue),
    state: row.usedBy !== null ? "used" : row.state === "open" && isOver ? "expired" : row.state,
    issued_at: formatInstant(row.issuedAt),
    expires_at: formatInstant(row.expiresAt),
    used_by: row.usedBy,
    used_by_name: names.get(row.uid)?.orderName ?? null,
  };
}

export const orderPart: Part<CustomerOrder> = {
  select: selectCustomerOrders,
  positionOf: ({ receivedAt: at, orderId: id }) => ({ at, id }),
};

export function orderView(row: CustomerOrder): CustomerOrderRow {
  return {
    id: row.orderId,
    name: row.name,
    processed_at: row.processedAt,
    total: row.totalMinor === null ? null : Number(row.totalMinor),
    currency: row.currency,
    awardable_points: Number(row.awardablePoints),
    awarded_points: Number(row.awardedPoints),
    redeemed_points: Number(row.redeemedPoints),
  };
}

export const historyPart: Part<ListedEntry> = {
  select: (queryable, customer, after) => selectHistory(queryable, customer, { ...after, limit: READ_ROWS }),
  positionOf: ({ occurredAt: at, id }) => ({ at, id }),
};

export function historyView({ id, occurredAt, points, kind, source, note }: ListedEntry): HistoryRow {
  return { id, occurred_at: formatInstant(occurredAt), points: Number(points), kind, source, note };
}

export const reservationPart: Part<CustomerReservation> = {
  select: selectReservations,
  positionOf: ({ heldAt: at, uid: id }) => ({ at, id }),
};

/** A reservation's row. One past its end is shown as released, even before that is written. */
export function reservationView(row: CustomerReservation, now: Temporal.Instant): ReservationRow {
  const isOver = row.expiresAt !== null && Temporal.Instant.compare(row.expiresAt, now) <= 0;
  return {
    uid: row.uid,
    point_value: Number(row.pointValue),
    captured_points: Number(row.capturedPoints),
    state: row.state === "held" && isOver ? "released" : row.state,
    app_reference: row.appReference,
    held_at: formatInstant(row.heldAt),
    expires_at: row.expiresAt === null ? null : formatInstant(row.expiresAt),
  };
}
