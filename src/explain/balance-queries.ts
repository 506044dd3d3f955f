import type { Queryable } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

/** What allotments of one type came to. */
export interface TypeSum {
  readonly type: AllotmentType;
  readonly count: bigint;
  readonly given: bigint;
  /** Negative, or 0. */
  readonly taken: bigint;
}

const SELECT_SUMS = `select a.type,
  count(*) as count,
  coalesce(sum(a.point_value) filter (where a.point_value > 0), 0)::bigint as given,
  coalesce(sum(a.point_value) filter (where a.point_value < 0), 0)::bigint as taken
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version > $3
  and a.version <= $4
group by a.type
order by a.type`;

/** The allotments between two versions, by type. */
export function selectSums(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<TypeSum[]> {
  return queryable.query<TypeSum>(SELECT_SUMS, [bucket, customerUid, after, upTo]);
}

const SELECT_OPENING = `select a.version,
  a.balance_after as points
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.allotted_at <= $3
order by a.version desc
limit 1`;

/** The ledger's balance at a moment, and its version. */
export async function selectOpening(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  at: Temporal.Instant,
): Promise<{ readonly version: bigint; readonly points: bigint }> {
  const rows = await queryable.query<{ version: bigint; points: bigint }>(SELECT_OPENING, [bucket, customerUid, at]);
  return rows[0] ?? { version: 0n, points: 0n };
}

/** The allotment that opened a lot. */
export interface LotSource {
  readonly version: bigint;
  readonly uid: string;
  readonly type: AllotmentType;
  readonly pointValue: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly object: string | null;
  readonly parent: string | null;
}

const SELECT_SOURCES = `select a.version,
  a.uid,
  a.type,
  a.point_value as "pointValue",
  a.allotted_at as "allottedAt",
  a.object,
  a.parent
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version = any($3)`;

export async function selectSources(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  versions: readonly bigint[],
): Promise<ReadonlyMap<bigint, LotSource>> {
  if (versions.length === 0) return new Map();
  const rows = await queryable.query<LotSource>(SELECT_SOURCES, [bucket, customerUid, versions]);
  return new Map(rows.map((row) => [row.version, row]));
}

/** An order's spend in a window. */
export interface OrderSpend {
  readonly orderId: string;
  readonly creditedAt: Temporal.Instant;
  readonly minor: bigint;
}

export const ORDERS_MAX = 250;

const SELECT_SPEND = `select s.order_id as "orderId",
  s.credited_at as "creditedAt",
  s.spend_minor as minor
from order_spend s
where s.bucket = $1
  and s.customer_uid = $2
  and s.credited_at >= $3
  and s.credited_at < $4
order by s.credited_at, s.order_id
limit ${ORDERS_MAX}`;

/** The orders that count toward a tier between two instants, oldest first. */
export function selectSpendOrders(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { start, end }: { readonly start: Temporal.Instant; readonly end: Temporal.Instant },
): Promise<OrderSpend[]> {
  return queryable.query<OrderSpend>(SELECT_SPEND, [bucket, customerUid, start, end]);
}
