import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

/** Stands for the month in which a stay in a tier ended, where it continues. */
export const GOES_ON = 99_999;

/** Stays in one tier, as stored, that ended in one month or that continue. */
export interface StayGroup {
  readonly tierUid: string;
  readonly until: number;
}

/** The position of a customer within a group. */
export interface StayPlace extends CustomerRef {
  readonly since: number;
}

/** A customer in a list of stays, in the form in which pages show one. */
export interface ListedStay extends StayGroup, StayPlace {
  readonly customerId: string;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  /** The present tier of the customer. */
  readonly nowUid: string;
}

export interface StayQuery {
  /** In the order in which their customers are listed. */
  readonly groups: readonly StayGroup[];
  /** The page begins after this position of the first group; null: with its first customer. */
  readonly after: StayPlace | null;
  /** Only stays that began in this month or before. */
  readonly sinceMax: number;
  readonly rows: number;
}

const BEFORE_FIRST: StayPlace = { since: -1, bucket: -1, customerUid: "00000000-0000-0000-0000-000000000000" };

// The same expression as in the index of growth_customer_stay.
const SINCE = "coalesce(nullif(split_part(split_part(g.moves, ' ', -1), ':', 1), '')::integer, g.joined)";

const PRESENT = `select ${SINCE} as since, g.bucket, g.customer_uid
from growth_customer g
where p.until = ${GOES_ON}
  and g.tier_uid = p.tier_uid
  and ${SINCE} <= $6
  and (${SINCE}, g.bucket, g.customer_uid) > (p.since, p.bucket, p.customer_uid)
order by 1, 2, 3
limit $7`;

const ENDED = `select m.since, m.bucket, m.customer_uid
from growth_moved m
where m.month = p.until
  and m.from_uid = p.tier_uid
  and m.since <= $6
  and (m.since, m.bucket, m.customer_uid) > (p.since, p.bucket, p.customer_uid)
order by 1, 2, 3
limit $7`;

// Reads for each group at most a page of its index, from the start of the page. Each month further back adds a group per tier that was left in it.
const LISTED = `select s.tier_uid as "tierUid",
  s.until,
  s.since,
  s.bucket,
  s.customer_uid as "customerUid",
  c.storefront_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail",
  n.tier_uid as "nowUid"
from (
  select p.n, p.tier_uid, p.until, r.*
  from unnest($1::uuid[], $2::integer[], $3::integer[], $4::smallint[], $5::uuid[]) with ordinality
    as p (tier_uid, until, since, bucket, customer_uid, n)
  cross join lateral (
    (${PRESENT})
    union all
    (${ENDED})) r
  order by p.n, r.since, r.bucket, r.customer_uid
  limit $7) s
join growth_customer n on n.bucket = s.bucket and n.customer_uid = s.customer_uid
join customer c on c.bucket = s.bucket and c.customer_uid = s.customer_uid
order by s.n, s.since, s.bucket, s.customer_uid`;

/** A page of the customers of stays, sorted by group and then by the start of the stay. */
export function selectStays(queryable: Queryable, { groups, after, sinceMax, rows }: StayQuery): Promise<ListedStay[]> {
  const starts = groups.map((_, place) => (place === 0 && after !== null ? after : BEFORE_FIRST));
  return queryable.query<ListedStay>(LISTED, [
    groups.map(({ tierUid }) => tierUid),
    groups.map(({ until }) => until),
    starts.map(({ since }) => since),
    ...refKeys(starts),
    sinceMax,
    rows,
  ]);
}
