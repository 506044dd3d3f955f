import { formatAllottedAt, formatInstant } from "../../time/store-time.ts";

/** An allotment as the lists read it. */
export interface AllotmentRow {
  readonly uid: string;
  readonly version: bigint;
  readonly pointValue: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly type: string;
  readonly customerUid: string;
  readonly cascade: boolean | null;
  readonly appReference: string;
  readonly object: string | null;
  readonly parent: string | null;
  readonly action: string | null;
  readonly pointsDeducted: bigint;
}

/**
 * Returns the select list of `AllotmentRow` over `allotment a`. The used part of an allotment is the sum of the draws from its lots. `bucket`: a parameter
 * where all rows are of one customer, of whose shard alone a Citus then asks.
 */
export const allotmentColumns = (bucket: string): string => `a.uid,
  a.version,
  a.point_value as "pointValue",
  a.allotted_at as "allottedAt",
  a.type,
  a.customer_uid as "customerUid",
  a.cascade,
  a.app_reference as "appReference",
  a.object,
  a.parent,
  a.action,
  (
    select coalesce(sum(d.points), 0)::bigint
    from draw d
    where d.bucket = ${bucket} and d.customer_uid = a.customer_uid and d.lot_version = a.version
  ) as "pointsDeducted"`;

/** The same for allotments of any customers. */
export const ALLOTMENT_COLUMNS: string = allotmentColumns("a.bucket");

/** Returns shape A of interface.md 2.2. */
export function viewAllotment(row: AllotmentRow) {
  return {
    uid: row.uid,
    point_value: row.pointValue,
    inserted_at: formatInstant(row.allottedAt),
    allotted_at: formatAllottedAt(row.allottedAt),
    alloted_at: formatInstant(row.allottedAt),
    type: row.type,
    point_balance_uid: row.customerUid,
    allotment_cascade: row.cascade,
    app_reference: row.appReference,
    object: row.object,
    parent: row.parent,
    action: row.action,
    event_id: null,
    points_deducted: row.pointsDeducted,
  };
}
