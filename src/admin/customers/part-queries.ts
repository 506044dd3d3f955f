import type { Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { READ_ROWS, type TimePosition } from "../list.ts";

/** A customer's coupon. */
export interface CustomerCoupon {
  readonly uid: string;
  readonly code: string;
  readonly pointValue: bigint;
  readonly currencyValue: bigint;
  readonly state: "open" | "used" | "cancelled" | "expired";
  readonly issuedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly usedBy: string | null;
}

const COUPONS = `select c.uid,
  c.code,
  c.point_value as "pointValue",
  c.currency_value as "currencyValue",
  c.state,
  c.issued_at as "issuedAt",
  c.expires_at as "expiresAt",
  u.order_id as "usedBy"
from coupon c
left join coupon_use u on u.coupon_uid = c.uid
where c.bucket = $1
  and c.customer_uid = $2
  and (c.issued_at, c.uid::text) < ($3, $4)
order by c.issued_at desc, c.uid::text desc
limit ${READ_ROWS}`;

export function selectCustomerCoupons(
  queryable: Queryable,
  customer: CustomerRef,
  after: TimePosition,
): Promise<CustomerCoupon[]> {
  return queryable.query<CustomerCoupon>(COUPONS, params(customer, after));
}

/** A customer's order; a field that its events do not contain is null. */
export interface CustomerOrder {
  readonly orderId: string;
  readonly name: string | null;
  readonly processedAt: string | null;
  readonly totalMinor: string | null;
  readonly currency: string | null;
  readonly awardablePoints: bigint;
  readonly awardedPoints: bigint;
  readonly redeemedPoints: bigint;
  readonly receivedAt: Temporal.Instant;
}

// The data of an order are read only for the orders that are shown.
const ORDERS = `select o.order_id as "orderId",
  o.facts -> 'stated' ->> 'orderName' as name,
  coalesce(o.facts -> 'stated' ->> 'processedAt', o.facts -> 'stated' ->> 'createdAt') as "processedAt",
  o.facts -> 'stated' -> 'total' ->> 'minor' as "totalMinor",
  o.facts -> 'stated' -> 'total' ->> 'currency' as currency,
  o.awardable_points as "awardablePoints",
  o.awarded_points as "awardedPoints",
  o.redeemed_points as "redeemedPoints",
  o.received_at as "receivedAt"
from (
  select o.*
  from store_order o
  where o.bucket = $1
    and o.customer_uid = $2
    and (o.received_at, o.order_id) < ($3, $4)
  order by o.received_at desc, o.order_id desc
  limit ${READ_ROWS}) o
order by o.received_at desc, o.order_id desc`;

export function selectCustomerOrders(
  queryable: Queryable,
  customer: CustomerRef,
  after: TimePosition,
): Promise<CustomerOrder[]> {
  return queryable.query<CustomerOrder>(ORDERS, params(customer, after));
}

/** Points of a customer that were held. */
export interface CustomerReservation {
  readonly uid: string;
  readonly pointValue: bigint;
  readonly capturedPoints: bigint;
  readonly state: "held" | "captured" | "released";
  readonly appReference: string;
  readonly heldAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant | null;
}

const RESERVATIONS = `select r.uid,
  r.point_value as "pointValue",
  r.captured_points as "capturedPoints",
  r.state,
  r.app_reference as "appReference",
  r.held_at as "heldAt",
  r.expires_at as "expiresAt"
from reservation r
where r.bucket = $1
  and r.customer_uid = $2
  and (r.held_at, r.uid::text) < ($3, $4)
order by r.held_at desc, r.uid::text desc
limit ${READ_ROWS}`;

export function selectReservations(
  queryable: Queryable,
  customer: CustomerRef,
  after: TimePosition,
): Promise<CustomerReservation[]> {
  return queryable.query<CustomerReservation>(RESERVATIONS, params(customer, after));
}

function params({ bucket, customerUid }: CustomerRef, { at, id }: TimePosition) {
  return [bucket, customerUid, at, id];
}
