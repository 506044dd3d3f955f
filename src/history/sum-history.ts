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
  /** Points moved in from the app, which have its name as `app_reference`, without those of imports that were undone. */
  readonly movedIn: bigint;
  /** When the first of them were added; null: none were, or not by the given moment. */
  readonly movedAt: Temporal.Instant | null;
  /** The time of the last entry. */
  readonly lastAt: Temporal.Instant;
}

/** Points are mostly moved in before a customer has many allotments; only so many are read, so points that came later are not in the sum. */
const FIRST_ALLOTMENTS = 1_000;
/** The natural key of a row of an import. */
const IMPORT_KEY = "^csv/[0-9a-f-]{36}/";

const SELECT = `select h.source,
  count(*)::integer as entries,
  coalesce(sum(h.points) filter (where h.kind = 'earned'), 0)::text as earned,
  coalesce(-sum(h.points) filter (where h.kind = 'used'), 0)::text as used,
  coalesce(-sum(h.points) filter (where h.kind = 'expired'), 0)::text as expired,
  coalesce(sum(h.points) filter (where h.kind = 'adjusted'), 0)::text as adjusted,
  max(h.occurred_at) as "lastAt"
from history_entry h
where h.bucket = $1
  and h.customer_uid = $2
group by h.source
order by "lastAt" desc, h.source`;

// The entries of customers who were merged into this one are with it; the points that they had received are in their own ledgers.
// Points of an import that was undone were taken back, or are named as left on its page: a corrected file brings them again.
const movedTo = (person: string) => `select a.app_reference as source,
  sum(a.point_value)::bigint as points,
  min(a.allotted_at) as at
from balance b
join allotment a on a.bucket = b.bucket and a.customer_uid = b.customer_uid
left join import i on i.uid = case when a.source_key ~ '${IMPORT_KEY}' then split_part(a.source_key, '/', 2)::uuid end
where ${person}
  and a.version <= ${FIRST_ALLOTMENTS}
  and a.origin = 'migration'
  and a.point_value > 0
  and a.app_reference = any($3)
  and a.allotted_at <= $4
  and a.source_key not like 'merge/%'
  and i.state is distinct from 'undone'
group by a.app_reference`;

const SELECT_MOVED = movedTo("((b.bucket = $1 and b.customer_uid = $2) or b.merged_into = $2)");

// A Citus asks all shards for those who were merged into this customer, and one shard for this customer alone (decision 93).
const SELECT_MOVED_ALONE = movedTo("a.bucket = $1 and b.bucket = $1 and b.customer_uid = $2");

// The ids of merged customers lead to the surviving one.
const HAS_OTHER_IDS = `select count(*) > 1 as "hasOtherIds"
from customer_alias k
where k.customer_uid = $1`;

type SumRow = Pick<HistorySum, "source" | "entries" | "lastAt"> &
  Record<"earned" | "used" | "expired" | "adjusted", string>;

interface MovedSum {
  readonly source: string;
  readonly points: bigint;
  readonly at: Temporal.Instant;
}

/**
 * Returns the sums of each app's entries, and the points moved in from it by a moment, also to customers who were merged into this one. A customer
 * has few apps and a limited number of entries.
 */
export async function sumHistory(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  at: Temporal.Instant,
): Promise<HistorySum[]> {
  const rows = await queryable.query<SumRow>(SELECT, [bucket, customerUid]);
  if (rows.length === 0) return [];
  const sources = rows.map(({ source }) => source);
  const text = (await isAlone(queryable, customerUid)) ? SELECT_MOVED_ALONE : SELECT_MOVED;
  const moved = await queryable.query<MovedSum>(text, [bucket, customerUid, sources, at]);
  const movedOf = new Map(moved.map((sum) => [sum.source, sum]));
  return rows.map(({ earned, used, expired, adjusted, ...row }) => ({
    ...row,
    earned: BigInt(earned),
    used: BigInt(used),
    expired: BigInt(expired),
    adjusted: BigInt(adjusted),
    movedIn: movedOf.get(row.source)?.points ?? 0n,
    movedAt: movedOf.get(row.source)?.at ?? null,
  }));
}

/** Whether the store is a Citus, and nobody was merged into this customer. */
async function isAlone(queryable: Queryable, customerUid: string): Promise<boolean> {
  if (!(await queryable.isDistributed())) return false;
  const [row] = await queryable.query<{ hasOtherIds: boolean }>(HAS_OTHER_IDS, [customerUid]);
  return row?.hasOtherIds === false;
}
