import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

/** The sums of a customer's entries of one app, in points, each 0 or more except `adjusted`. */
export interface HistorySum {
  readonly source: string;
  readonly entries: number;
  readonly earned: bigint;
  readonly used: bigint;
  readonly expired: bigint;
  /** Signed. */
  readonly adjusted: bigint;
  /** Points moved in from the app, which have its name as `app_reference`. */
  readonly movedIn: bigint;
  /** When the first of them were added; null: none were, or not by the given moment. */
  readonly movedAt: Temporal.Instant | null;
  /** The time of the last entry. */
  readonly lastAt: Temporal.Instant;
}

/** Points that are moved in are among a customer's first; only this many allotments are read. */
const FIRST_ALLOTMENTS = 1_000;

const SELECT = `select s.*,
  coalesce(m.points, 0)::bigint as "movedIn",
  m.at as "movedAt"
from (
  select h.source,
    count(*)::integer as entries,
    coalesce(sum(h.points) filter (where h.kind = 'earned'), 0)::text as earned,
    coalesce(-sum(h.points) filter (where h.kind = 'used'), 0)::text as used,
    coalesce(-sum(h.points) filter (where h.kind = 'expired'), 0)::text as expired,
    coalesce(sum(h.points) filter (where h.kind = 'adjusted'), 0)::text as adjusted,
    max(h.occurred_at) as "lastAt"
  from history_entry h
  where h.bucket = $1
    and h.customer_uid = $2
  group by h.source) s
left join lateral (
  select sum(a.point_value) as points,
    min(a.allotted_at) as at
  from allotment a
  where a.bucket = $1
    and a.customer_uid = $2
    and a.version <= ${FIRST_ALLOTMENTS}
    and a.origin = 'migration'
    and a.point_value > 0
    and a.app_reference = s.source
    and a.allotted_at <= $3) m on true
order by s."lastAt" desc, s.source`;

type SumRow = Omit<HistorySum, "earned" | "used" | "expired" | "adjusted"> &
  Record<"earned" | "used" | "expired" | "adjusted", string>;

/** Returns the sums of each app's entries, and the points moved in from it by a moment. A customer has few apps and a limited number of entries. */
export async function sumHistory(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  at: Temporal.Instant,
): Promise<HistorySum[]> {
  const rows = await queryable.query<SumRow>(SELECT, [bucket, customerUid, at]);
  return rows.map(({ earned, used, expired, adjusted, ...row }) => ({
    ...row,
    earned: BigInt(earned),
    used: BigInt(used),
    expired: BigInt(expired),
    adjusted: BigInt(adjusted),
  }));
}
