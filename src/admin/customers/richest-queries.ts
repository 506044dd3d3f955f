import type { Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { pointsClassOf } from "../../metrics/customer-metrics.ts";
import { NEWEST_UID, type PointsPosition, READ_ROWS } from "../list.ts";
import { JOIN_TIER, LISTED_COLUMNS, type ListedCustomer, selectListedCustomers } from "./queries.ts";

/** A customer in the list by points. */
export interface RichCustomer extends ListedCustomer {
  readonly listed: PointsPosition;
}

// materialized: Citus finds the customers of these rows by key, and would otherwise send all customers to each node
const mostPoints = (rows: string) => `with b as materialized (
  ${rows})
select ${LISTED_COLUMNS}
from b
join (
  select c.*, t.tier_uid
  from customer c
  ${JOIN_TIER}) c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
order by b.ledger_points desc, b.customer_uid desc`;

const sorted = (from: string) => `select b.*
  from ${from}
  where b.ledger_points > 0
    and b.merged_into is null
    and (b.ledger_points, b.customer_uid) < ($1, $2)
  order by b.ledger_points desc, b.customer_uid desc
  limit $3`;

const OF_ALL = mostPoints(sorted("balance b"));

// `offset 0` keeps the planner to one lookup per row: for thousands of customers it would rather read all balances. Citus has no such join.
const LOOKED_UP = `cross join lateral (
    select *
    from balance
    where bucket = f.bucket and customer_uid = f.customer_uid
    offset 0) b`;
const JOINED = "join balance b on b.bucket = f.bucket and b.customer_uid = f.customer_uid";

const ofClasses = (balances: string) =>
  mostPoints(
    sorted(`(
    select f.bucket, f.customer_uid
    from figure_customer f
    where f.points_class between $4 and $5) f
  ${balances}`),
  );

const OF_CLASSES = { plain: ofClasses(LOOKED_UP), distributed: ofClasses(JOINED) };

// Their balances are read by key afterwards: Citus would send the whole crowd to them (decision 93).
const OF_CROWD = `select bucket,
  customer_uid as "customerUid",
  class_points as points
from figure_customer
where points_class = $4
  and (class_points, customer_uid) < ($1, $2)
order by class_points desc, customer_uid desc
limit $3`;

const CLASSES = `select f.points_class as "pointsClass",
  count(*)::integer as customers
from (
  select points_class
  from figure_customer
  where points_class <= $1
  order by points_class desc
  limit $2) f
group by f.points_class
order by f.points_class desc`;

/** How many customers are read first for each row of the page, and by how much this grows until they fill it. */
const LOOK = { first: 4, times: 8 };
/** A class of more customers is not read to be sorted. */
const CROWD = 12_000;
/** Where very many of a crowd have no points left, as right after a sweep, more are read at a time. */
const CROWD_TURNS = { least: 500, most: 8_000 };

/** Classes with all their customers; `isCrowd`: one class, of too many. */
interface ClassRange {
  readonly lowest: number;
  readonly highest: number;
  readonly isCrowd: boolean;
}

/** Returns the next classes from one downwards; null: no customer is in any. */
async function nextClasses(queryable: Queryable, highest: number, rows: number): Promise<ClassRange | null> {
  for (let look = LOOK.first * rows; ; look *= LOOK.times) {
    const limit = Math.min(look, CROWD) + 1;
    const found = await queryable.query<{ pointsClass: number; customers: number }>(CLASSES, [highest, limit]);
    const [first] = found;
    if (first === undefined) return null;
    const isAll = found.reduce((sum, { customers }) => sum + customers, 0) < limit;
    const last = isAll ? found.at(-1) : found.at(-2);
    if (last !== undefined) return { lowest: last.pointsClass, highest, isCrowd: false };
    if (look >= CROWD) return crowdOf(first.pointsClass);
  }
}

function crowdOf(pointsClass: number): ClassRange {
  return { lowest: pointsClass, highest: pointsClass, isCrowd: true };
}

/** Sorts before every customer of the list. */
const TOP: PointsPosition = { points: 2n ** 62n, uid: NEWEST_UID };

/**
 * Returns a page of customers, most points first, by the classes of points that the worker maintains: it reads about as many balances as it returns, or
 * some thousands. A customer whose points have just changed may be out of place for some seconds. A class of very many customers, such as all who
 * have the points of the signup, is listed by what each had when the class was found, or at the last daily walk. Without classes every balance is
 * read.
 */
export async function selectRichest(
  queryable: Queryable,
  position: PointsPosition | null,
  { hasClasses, rows: limit = READ_ROWS }: { readonly hasClasses: boolean; readonly rows?: number },
): Promise<RichCustomer[]> {
  const after = position ?? TOP;
  if (!hasClasses)
    return (await queryable.query<ListedCustomer>(OF_ALL, [after.points, after.uid, limit])).map(byPoints);
  const rows: RichCustomer[] = [];
  for (let highest = classOf(after); rows.length < limit; ) {
    // a crowd is listed to its end as one, also if it has become smaller meanwhile
    const isBegun = after.inClass === highest;
    const range = isBegun ? crowdOf(highest) : await nextClasses(queryable, highest, limit);
    if (range === null) break;
    rows.push(...(await selectRange(queryable, range, startIn(range, after), limit - rows.length)));
    highest = range.lowest - 1;
  }
  return rows;
}

/** Returns the position behind which a range is listed. The points of a crowd's position are of an earlier day: they say nothing of other classes. */
function startIn({ highest, isCrowd }: ClassRange, after: PointsPosition): PointsPosition {
  const isComparable = isCrowd ? classOf(after) === highest : after.inClass === undefined;
  return isComparable ? after : TOP;
}

/** Every class is above -1. */
function classOf({ points, inClass }: PointsPosition): number {
  return inClass ?? pointsClassOf(points) ?? -1;
}

async function selectRange(
  queryable: Queryable,
  { lowest, highest, isCrowd }: ClassRange,
  { points, uid }: PointsPosition,
  limit: number,
): Promise<RichCustomer[]> {
  if (isCrowd) return selectCrowd(queryable, highest, { points, uid }, limit);
  const on = (await queryable.isDistributed()) ? "distributed" : "plain";
  return (await queryable.query<ListedCustomer>(OF_CLASSES[on], [points, uid, limit, lowest, highest])).map(byPoints);
}

/** Returns the next customers of a crowd. Those who have no points left are passed over; so are merged ones, whose points are the survivor's. */
async function selectCrowd(
  queryable: Queryable,
  pointsClass: number,
  position: PointsPosition,
  limit: number,
): Promise<RichCustomer[]> {
  const rows: RichCustomer[] = [];
  let count = limit;
  for (let after = position; rows.length < limit; ) {
    const params = [after.points, after.uid, count, pointsClass];
    const page = await queryable.query<CustomerRef & { points: bigint }>(OF_CROWD, params);
    const pointsOf = new Map(page.map(({ customerUid, points }) => [customerUid, points]));
    for (const row of await selectListedCustomers(queryable, page)) {
      const listed = { points: pointsOf.get(row.customerUid) ?? 0n, uid: row.customerUid, inClass: pointsClass };
      if (row.ledgerPoints > 0n) rows.push({ ...row, listed });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < count) break;
    after = { points: last.points, uid: last.customerUid };
    count = Math.min(Math.max(count * 4, CROWD_TURNS.least), CROWD_TURNS.most);
  }
  return rows.slice(0, limit);
}

function byPoints(row: ListedCustomer): RichCustomer {
  return { ...row, listed: { points: row.ledgerPoints, uid: row.customerUid } };
}
