import type { Queryable, Tx } from "../../db/pool.ts";
import { lockBalances } from "../balance-queries.ts";
import { type CustomerRef, refKeys } from "../customer-ref.ts";
import type { FirstDates } from "./due-search.ts";
import { type ExpiryBounds, expiryDay } from "./expiry.ts";

/** The index that the sweep walks: own dates, starts of lots, or days from which expiry counts. */
export type DueIndex = "dated" | "since" | "day";

/** A balance with possibly due points, and its position in the index. */
export interface DueCandidate extends CustomerRef, ExpiryBounds {
  readonly at: Temporal.Instant | string;
  /** The index has an outdated day for the balance. */
  readonly isBehind: boolean;
}

const COLUMNS = `b.bucket,
  b.customer_uid as "customerUid",
  b.active_at as "activeAt",
  b.oldest_since as "oldestSince",
  b.soonest_expires_at as "soonestExpiresAt"`;

const LOTS = (column: "expires_at" | "since", isDated: boolean) => `select l.at, false as "isBehind", ${COLUMNS}
from (
  select l.${column} as at, l.bucket, l.customer_uid
  from lot l
  where l.expires_at ${isDated ? "<" : "="} 'infinity'
    and (l.${column}, l.bucket) > ($1::timestamptz, $2::smallint)
    and l.${column} <= $3::timestamptz
  order by l.${column}, l.bucket
  fetch first $4 rows with ties) l
join balance b on b.bucket = l.bucket and b.customer_uid = l.customer_uid
order by l.at, l.bucket`;

const PAGES: Readonly<Record<DueIndex, string>> = {
  dated: LOTS("expires_at", true),
  since: LOTS("since", false),
  day: `select b.expiry_from_on as at,
  b.expiry_from_on is distinct from ${expiryDay("b.active_at", "b.oldest_since")} as "isBehind",
  ${COLUMNS}
from balance b
where (b.expiry_from_on, b.bucket) > ($1::date, $2::smallint)
  and b.expiry_from_on <= $3::date
order by b.expiry_from_on, b.bucket
fetch first $4 rows with ties`,
};

/**
 * Returns the next candidates after a position of an index, up to `until`; null: from the start of the index. A page ends with all candidates
 * of a bucket that share its last date. A customer appears once for each lot found.
 */
export function selectDuePage(
  queryable: Queryable,
  index: DueIndex,
  range: { after: Pick<DueCandidate, "at" | "bucket"> | null; until: Temporal.Instant | string; rows: number },
): Promise<DueCandidate[]> {
  const { after, until, rows } = range;
  return queryable.query<DueCandidate>(PAGES[index], [after?.at ?? "-infinity", after?.bucket ?? -1, until, rows]);
}

const FIRST = `select
  (select min(l.expires_at) from lot l where l.expires_at < 'infinity') as "expiresAt",
  (select min(l.since) from lot l where l.expires_at = 'infinity') as "since",
  (select min(b.expiry_from_on) from balance b where b.expiry_from_on is not null) as "expiryFromOn"`;

/** Returns the first entry of each of the three indexes. */
export async function selectFirstDates(queryable: Queryable): Promise<FirstDates> {
  const [first] = await queryable.query<FirstDates>(FIRST);
  return first ?? { expiresAt: null, since: null, expiryFromOn: null };
}

const DAY = expiryDay("b.active_at", "b.oldest_since");

const ADVANCE = `update balance b
set expiry_from_on = ${DAY}
where (b.bucket, b.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
  and b.expiry_from_on is distinct from ${DAY}`;

/** Moves balances to their current position in the sweep's index, or out of it if they have no lots. */
export async function advanceExpiryDays(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  await Promise.all([lockBalances(tx, customers), tx.execute(ADVANCE, refKeys(customers))]);
}
