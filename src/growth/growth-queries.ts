import type { Queryable, Tx } from "../db/pool.ts";
import { unnested } from "../db/unnested.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { bookmarkParams } from "../metrics/range-queries.ts";
import type { LedgerBookmark } from "../metrics/rollup.ts";
import { LAPSES_AT } from "../segments/filter-sql.ts";
import { type GrowthShare, type GrowthSums, movesText, parseMoves, type ShareFacts } from "./growth-share.ts";

/** How far the growth is counted. */
export interface GrowthProgress extends LedgerBookmark {
  /** The time zone whose months are used; '' where nothing is counted yet. */
  readonly timeZone: string;
  /** The position of the walk, which has counted all customers up to it; null where no walk is running. */
  readonly walkBucket: number | null;
  readonly walkUid: string | null;
  readonly countedAt: Temporal.Instant | null;
}

const STANDING = `select time_zone as "timeZone",
  walk_bucket as "walkBucket",
  walk_uid as "walkUid",
  counted_at as "countedAt",
  allotted_at as "allottedAt",
  allotment_uid as "allotmentUid"
from growth_standing`;

export async function selectGrowthProgress(queryable: Queryable): Promise<GrowthProgress> {
  return only(await queryable.query<GrowthProgress>(STANDING));
}

/** Reads the progress row and locks it for the transaction that may count. */
export async function lockGrowthProgress(tx: Tx): Promise<GrowthProgress> {
  return only(await tx.query<GrowthProgress>(`${STANDING} for update`));
}

function only([progress]: readonly GrowthProgress[]): GrowthProgress {
  if (progress === undefined) throw new Error("growth_standing has no row: its migration makes it");
  return progress;
}

const UPDATE_STANDING = `update growth_standing
set time_zone = $1,
  walk_bucket = $2,
  walk_uid = $3,
  counted_at = $4,
  allotted_at = $5,
  allotment_uid = $6`;

export function updateGrowthProgress(tx: Tx, progress: GrowthProgress) {
  const { timeZone, walkBucket, walkUid, countedAt } = progress;
  return tx.execute(UPDATE_STANDING, [timeZone, walkBucket, walkUid, countedAt, ...bookmarkParams(progress)]);
}

const FORGET = `truncate growth_customer, growth_month, growth_lapse, growth_tier, growth_move, growth_moved, growth_points,
  growth_benefit, growth_benefit_day`;

/** Deletes all sums. The caller has locked the progress row and starts it again. */
export function deleteGrowth(tx: Tx) {
  return tx.execute(FORGET);
}

// An array, because the planner chooses a join by the statistics, which mostly show the table as empty.
const TAKE = `delete from growth_change
where uid = any(array(
  select uid
  from growth_change
  limit $1))
returning bucket,
  customer_uid as "customerUid"`;

/** Takes customers from the queue of changes; a row whose transaction has not committed yet is left for later. */
export function dequeueCustomers(tx: Tx, rows: number): Promise<CustomerRef[]> {
  return tx.query<CustomerRef>(TAKE, [rows]);
}

const WALK = `select bucket,
  customer_uid as "customerUid"
from customer
where (bucket, customer_uid) > ($1::smallint, $2::uuid)
order by bucket, customer_uid
limit $3`;

export function selectWalkedCustomers(queryable: Queryable, after: CustomerRef, rows: number): Promise<CustomerRef[]> {
  return queryable.query<CustomerRef>(WALK, [after.bucket, after.customerUid, rows]);
}

const KEYS = unnested(["bucket smallint", "customer_uid uuid"]);

const FACTS = `select c.bucket,
  c.customer_uid as "customerUid",
  c.created_at as "joinedAt",
  coalesce(s.orders, 0)::bigint as orders,
  s.first_at as "firstAt",
  case when s.orders > 1 then ${LAPSES_AT} end as "lapsesAt",
  t.tier_uid as "tierUid"
from (${KEYS}) k
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
left join sale_buyer s on s.bucket = c.bucket and s.customer_uid = c.customer_uid
left join customer_tier t on t.bucket = c.bucket and t.customer_uid = c.customer_uid
where c.deleted_at is null`;

const STEPS = `select h.customer_uid as "customerUid",
  h.changed_at as at,
  h.from_uid as "from",
  h.to_uid as "to"
from (${KEYS}) k
join tier_change h on h.bucket = k.bucket and h.customer_uid = k.customer_uid
order by h.changed_at, h.uid`;

/** The present facts of customers, by customer; deleted and merged customers are missing. */
export async function selectShareFacts(
  queryable: Queryable,
  customers: readonly CustomerRef[],
): Promise<ReadonlyMap<string, ShareFacts>> {
  type Facts = Omit<ShareFacts, "customer" | "steps"> & CustomerRef;
  type Step = ShareFacts["steps"][number] & { readonly customerUid: string };
  const keys = refKeys(customers);
  const [rows, steps] = await Promise.all([queryable.query<Facts>(FACTS, keys), queryable.query<Step>(STEPS, keys)]);
  const stepsOf = Map.groupBy(steps, ({ customerUid }) => customerUid);
  return new Map(
    rows.map(({ bucket, customerUid, ...facts }) => {
      const customer = { bucket, customerUid };
      return [customerUid, { ...facts, customer, steps: stepsOf.get(customerUid) ?? [] }];
    }),
  );
}

const SHARES = `select m.customer_uid as "customerUid",
  m.joined,
  m.first_ordered as "firstOrdered",
  m.orders,
  m.lapses_at as "lapsesAt",
  m.lapse_month as "lapseMonth",
  m.tier_uid as "tierUid",
  m.moves
from (${KEYS}) k
join growth_customer m on m.bucket = k.bucket and m.customer_uid = k.customer_uid`;

/** What customers are counted as, by customer; one who is not counted is missing. */
export async function selectGrowthShares(
  queryable: Queryable,
  customers: readonly CustomerRef[],
): Promise<ReadonlyMap<string, GrowthShare>> {
  type Row = Omit<GrowthShare, "moves"> & { readonly customerUid: string; readonly moves: string };
  const rows = await queryable.query<Row>(SHARES, refKeys(customers));
  return new Map(rows.map(({ customerUid, moves, ...row }) => [customerUid, { ...row, moves: parseMoves(moves) }]));
}

const KEEP = `insert into growth_customer as m (bucket, customer_uid, joined, first_ordered, orders, lapses_at, lapse_month, tier_uid, moves)
${unnested([
  "bucket smallint",
  "customer_uid uuid",
  "joined integer",
  "first_ordered integer",
  "orders smallint",
  "lapses_at timestamptz",
  "lapse_month integer",
  "tier_uid uuid",
  "moves text",
])}
on conflict (bucket, customer_uid) do update
set joined = excluded.joined,
  first_ordered = excluded.first_ordered,
  orders = excluded.orders,
  lapses_at = excluded.lapses_at,
  lapse_month = excluded.lapse_month,
  tier_uid = excluded.tier_uid,
  moves = excluded.moves`;

const DROP = `delete from growth_customer m
using (${KEYS}) k
where m.bucket = k.bucket
  and m.customer_uid = k.customer_uid`;

export async function writeGrowthShares(
  tx: Tx,
  customers: readonly { readonly customer: CustomerRef; readonly after: GrowthShare }[],
  gone: readonly CustomerRef[],
): Promise<void> {
  await Promise.all([
    tx.execute(KEEP, [
      ...refKeys(customers.map(({ customer }) => customer)),
      customers.map(({ after }) => after.joined),
      customers.map(({ after }) => after.firstOrdered),
      customers.map(({ after }) => after.orders),
      customers.map(({ after }) => after.lapsesAt),
      customers.map(({ after }) => after.lapseMonth),
      customers.map(({ after }) => after.tierUid),
      customers.map(({ after }) => movesText(after.moves)),
    ]),
    tx.execute(DROP, refKeys(gone)),
  ]);
}

const ADD_MONTHS = `insert into growth_month as g (month, figure, customers)
${unnested(["month integer", "figure text", "customers bigint"])}
on conflict (month, figure) do update
set customers = g.customers + excluded.customers`;
const ADD_LAPSES = `insert into growth_lapse as g (hour, month, customers)
${unnested(["hour timestamptz", "month integer", "customers bigint"])}
on conflict (hour, month) do update
set customers = g.customers + excluded.customers`;
const DROP_LAPSES = `delete from growth_lapse
where hour = any($1::timestamptz[])
  and customers = 0`;
const ADD_TIERS = `insert into growth_tier as g (tier_uid, customers)
${unnested(["tier_uid uuid", "customers bigint"])}
on conflict (tier_uid) do update
set customers = g.customers + excluded.customers`;
const ADD_MOVES = `insert into growth_move as g (month, from_uid, to_uid, customers)
${unnested(["month integer", "from_uid uuid", "to_uid uuid", "customers bigint"])}
on conflict (month, from_uid, to_uid) do update
set customers = g.customers + excluded.customers`;

/** Adds a change to the sums. The caller has locked the progress row. */
export async function addToGrowthSums(tx: Tx, { months, lapses, tiers, moves }: GrowthSums): Promise<void> {
  const hours = lapses.map(({ hour }) => hour);
  await Promise.all([
    tx.execute(ADD_MONTHS, [
      months.map(({ month }) => month),
      months.map(({ figure }) => figure),
      months.map(({ customers }) => customers),
    ]),
    tx.execute(ADD_LAPSES, [hours, lapses.map(({ month }) => month), lapses.map(({ customers }) => customers)]),
    tx.execute(ADD_TIERS, [tiers.map(({ tierUid }) => tierUid), tiers.map(({ customers }) => customers)]),
    tx.execute(ADD_MOVES, [
      moves.map(({ month }) => month),
      moves.map(({ from }) => from),
      moves.map(({ to }) => to),
      moves.map(({ customers }) => customers),
    ]),
  ]);
  await tx.execute(DROP_LAPSES, [hours]);
}
