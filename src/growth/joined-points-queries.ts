import type { Queryable, Tx } from "../db/pool.ts";
import type { StoreMonths } from "../liability/month.ts";
import type { TypeSums } from "../metrics/movement-category.ts";
import { bookmarkParams, type SettledRange } from "../metrics/range-queries.ts";

/**
 * SQL for the points by type and by the month in which their customer joined. `joined`: the rows of allotments with `joined_at`; `months` and
 * `starts`: SQL parameters.
 */
export function joinedPointsSql(joined: string, months: string, starts: string): string {
  return `select (${months}::integer[])[greatest(width_bucket(a.joined_at, ${starts}::timestamptz[]), 1)] as month,
  a.type,
  coalesce(sum(a.point_value) filter (where a.point_value > 0), 0) as gained,
  count(*) filter (where a.point_value > 0) as gains,
  coalesce(-sum(a.point_value) filter (where a.point_value < 0), 0) as taken,
  count(*) filter (where a.point_value < 0) as takes
from (${joined}) a
group by 1, 2`;
}

// `offset 0` makes each customer be found by key. With a hash join, all customers would be read for some hundred allotments. Citus has no such join,
// and sends every customer to each node, unless the allotments were brought to the coordinator first.
const FOUND_BY_KEY = `cross join lateral (
    select f.created_at as joined_at
    from customer f
    where f.bucket = a.bucket
      and f.customer_uid = a.customer_uid
    offset 0) c`;
const IN_RANGE = `(a.allotted_at, a.uid) > ($1::timestamptz, $2::uuid)
    and (a.allotted_at, a.uid) <= ($3::timestamptz, $4::uuid)`;
const PLAIN_RANGE = `select a.type, a.point_value, c.joined_at
  from allotment a
  ${FOUND_BY_KEY}
  where ${IN_RANGE}`;
const DISTRIBUTED_RANGE = `with a as materialized (
    select a.bucket, a.customer_uid, a.type, a.point_value
    from allotment a
    where ${IN_RANGE})
  select a.type, a.point_value, c.created_at as joined_at
  from a
  join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid`;

const add = (range: string) => `insert into growth_points as g (month, type, gained, gains, taken, takes)
${joinedPointsSql(range, "$5", "$6")}
on conflict (month, type) do update
set gained = g.gained + excluded.gained,
  gains = g.gains + excluded.gains,
  taken = g.taken + excluded.taken,
  takes = g.takes + excluded.takes`;
const ADD = { plain: add(PLAIN_RANGE), distributed: add(DISTRIBUTED_RANGE) };

/** Adds a range of settled allotments to the points by month of joining. The caller has locked the progress row. */
export function addRangePoints(tx: Tx, { from, to }: SettledRange, { months, starts }: StoreMonths) {
  return tx.execute(tx.shards === null ? ADD.plain : ADD.distributed, [
    ...bookmarkParams(from),
    ...bookmarkParams(to),
    months,
    starts,
  ]);
}

/** Points of the customers who joined in one month, by type. */
export interface JoinedPoints extends TypeSums {
  readonly month: number;
}

const POINTS = `select month, type, gained::text as gained, gains, taken::text as taken, takes
from growth_points`;

/** One row per month and type: some thousand rows for a store of many years. */
export async function selectJoinedPoints(queryable: Queryable): Promise<JoinedPoints[]> {
  type Row = Omit<JoinedPoints, "gained" | "taken"> & { readonly gained: string; readonly taken: string };
  const rows = await queryable.query<Row>(POINTS);
  return rows.map((row) => ({ ...row, gained: BigInt(row.gained), taken: BigInt(row.taken) }));
}
