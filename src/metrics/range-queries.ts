import type { Queryable } from "../db/pool.ts";
import { endOfInstant, type LedgerBookmark } from "./rollup.ts";

/** The allotments after `from` up to and including `to`; the first of them was allotted at `firstAt`. */
export interface SettledRange {
  readonly from: LedgerBookmark;
  readonly to: LedgerBookmark & { readonly allottedAt: Temporal.Instant };
  readonly firstAt: Temporal.Instant;
  /** Whether no settled allotment follows. */
  readonly isLast: boolean;
}

/** The parameters of a bookmark: $n::timestamptz and $n+1::uuid. */
export function bookmarkParams({
  allottedAt,
  allotmentUid,
}: LedgerBookmark): readonly [Temporal.Instant | string, string] {
  return [allottedAt ?? "-infinity", allotmentUid];
}

const NTH = `select a.allotted_at as "allottedAt",
  a.uid as "allotmentUid"
from allotment a
where (a.allotted_at, a.uid) > ($1::timestamptz, $2::uuid)
  and a.allotted_at <= $3
order by a.allotted_at, a.uid
offset $4
limit 1`;

/**
 * The next `size` settled allotments after a bookmark, or fewer where there are no more; null where there are none. All rows up to the
 * settled mark are committed, so the same range always contains the same rows.
 */
export async function selectRange(
  queryable: Queryable,
  from: LedgerBookmark,
  { settledAt, size }: { readonly settledAt: Temporal.Instant; readonly size: number },
): Promise<SettledRange | null> {
  type Row = LedgerBookmark & { readonly allottedAt: Temporal.Instant };
  const nth = (n: number) => queryable.query<Row>(NTH, [...bookmarkParams(from), settledAt, n]);
  const [[first], [last]] = await Promise.all([nth(0), nth(size - 1)]);
  if (first === undefined) return null;
  const end = { ...endOfInstant(settledAt), allottedAt: settledAt };
  return { from, to: last ?? end, firstAt: first.allottedAt, isLast: last === undefined };
}
