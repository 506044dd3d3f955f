import type { Queryable, Tx } from "../db/pool.ts";
import { ADDING_KINDS, type MovementKind } from "../wire/liability.ts";
import type { CohortDeferral, SaleMovement, StoredState } from "./deferrals.ts";
import type { Estimate } from "./estimates.ts";
import type { Deferral } from "./revenue.ts";

/** Outstanding points of one month of issue and origin. */
export interface OwedRow {
  readonly cohort: number;
  readonly origin: string;
  readonly points: bigint;
}

const OWED = `select cohort,
  origin,
  sum(case when kind = any($2::text[]) then points else -points end)::text as points
from liability_sum
where month < $1
group by cohort, origin
having sum(case when kind = any($2::text[]) then points else -points end) <> 0
order by cohort, origin`;

/** The points outstanding at the start of a month. */
export async function selectOwed(queryable: Queryable, month: number): Promise<OwedRow[]> {
  const rows = await queryable.query<Omit<OwedRow, "points"> & { points: string }>(OWED, [month, ADDING_KINDS]);
  return rows.map((row) => ({ ...row, points: BigInt(row.points) }));
}

/** Points that moved in a month. */
export interface MovedRow extends OwedRow {
  readonly kind: MovementKind;
  readonly causeMonth: number;
  readonly movements: bigint;
  /** Those of the points that are of origin sale and that no order awarded. */
  readonly unpriced: bigint;
  /** What was paid where points were earned, in minor units. */
  readonly money: bigint;
}

type Amount = "points" | "unpriced" | "money";
type AsText<Row> = Omit<Row, Amount> & Readonly<Record<Amount, string>>;

function withAmounts<Row extends Readonly<Record<Amount, string>>>(row: Row) {
  return { ...row, points: BigInt(row.points), unpriced: BigInt(row.unpriced), money: BigInt(row.money) };
}

const MOVED = `select cohort,
  origin,
  kind,
  cause_month as "causeMonth",
  points::text as points,
  movements,
  unpriced::text as unpriced,
  money::text as money
from liability_sum
where month = $1
order by cohort, origin, kind, cause_month`;

export async function selectMoved(queryable: Queryable, month: number): Promise<MovedRow[]> {
  const rows = await queryable.query<AsText<MovedRow>>(MOVED, [month]);
  return rows.map(withAmounts);
}

const SALES = `select month,
  cohort,
  kind,
  sum(points)::text as points,
  sum(unpriced)::text as unpriced,
  sum(money)::text as money
from liability_sum
where origin = 'sale'
  and month between $1 and $2
group by month, cohort, kind`;

export async function selectSaleMovements(queryable: Queryable, from: number, until: number): Promise<SaleMovement[]> {
  const rows = await queryable.query<AsText<SaleMovement>>(SALES, [from, until]);
  return rows.map(withAmounts);
}

const FIRST = "select min(month) as month from liability_sum";

/** The first month in which points moved; null where none have moved yet. */
export async function selectFirstMonth(queryable: Queryable): Promise<number | null> {
  const [row] = await queryable.query<{ month: number | null }>(FIRST);
  return row?.month ?? null;
}

/** When, by whom and in which currency a month was closed. */
export interface ClosedMonth {
  readonly month: number;
  readonly closedAt: Temporal.Instant;
  readonly closedBy: string;
  readonly currency: string;
}

const CLOSED = `select month,
  closed_at as "closedAt",
  closed_by as "closedBy",
  currency
from liability_month
order by month`;

export function selectClosedMonths(queryable: Queryable): Promise<ClosedMonth[]> {
  return queryable.query<ClosedMonth>(CLOSED);
}

const INSERT_MONTH = "insert into liability_month (month, closed_at, closed_by, currency) values ($1, $2, $3, $4)";

export function insertClosedMonth(tx: Tx, { month, closedAt, closedBy, currency }: ClosedMonth) {
  return tx.execute(INSERT_MONTH, [month, closedAt, closedBy, currency]);
}

const ESTIMATES = `select month,
  cohort,
  redemption_bps as "redemptionBps",
  point_price_millionths as "pointPriceMillionths",
  set_at as "setAt",
  set_by as "setBy"
from liability_estimate
order by month, cohort`;

export function selectEstimates(queryable: Queryable): Promise<Estimate[]> {
  return queryable.query<Estimate>(ESTIMATES);
}

const UPSERT_ESTIMATE = `insert into liability_estimate as e (uid, month, cohort, redemption_bps, point_price_millionths, set_at, set_by)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (month, cohort) do update
set redemption_bps = excluded.redemption_bps,
  point_price_millionths = excluded.point_price_millionths,
  set_at = excluded.set_at,
  set_by = excluded.set_by`;

export function upsertEstimate(tx: Tx, uid: string, estimate: Estimate) {
  const { month, cohort, redemptionBps, pointPriceMillionths, setAt, setBy } = estimate;
  return tx.execute(UPSERT_ESTIMATE, [uid, month, cohort, redemptionBps, pointPriceMillionths, setAt, setBy]);
}

const AMOUNTS = [
  ...["opening", "additions", "taken_back", "redemption", "breakage", "reestimate", "closing"],
  ...["allocated", "issued", "redeemed", "lapsed"],
];
const AS_TEXT = AMOUNTS.map((name) => `${name}::text`).join(",\n  ");

const DEFERRALS = `select cohort,
  is_apart as "isApart",
  ${AS_TEXT},
  0 as taken_points,
  0 as taken_minor
from liability_deferral
where month = $1
order by cohort`;

// What was taken back and not restored, with the points of which it was the share: those of months that have deferrals. Both are counted as
// deferMonth does: from the last month at whose end no points were taken back, since what an earlier release had left then is of no points.
const STATES = `with taken as (
  select s.cohort,
    s.month,
    sum((case when s.kind = 'restored' then -1 else 1 end) * (s.points - case when e.is_apart then s.unpriced else 0 end)) as points
  from liability_sum s
  join liability_deferral e on e.month = s.month and e.cohort = s.cohort
  where s.origin = 'sale'
    and s.kind in ('taken_back', 'corrected', 'restored')
  group by s.cohort, s.month),
total as (
  select d.cohort,
    d.month,
    d.taken_back,
    sum(coalesce(t.points, 0)) over (partition by d.cohort order by d.month) as points
  from liability_deferral d
  left join taken t on t.month = d.month and t.cohort = d.cohort),
lasting as (
  select t.*, t.points - least(min(t.points) over (partition by t.cohort order by t.month), 0) as taken_points
  from total t),
share as (
  select l.cohort, sum(l.taken_back) filter (where l.month > coalesce(l.empty_at, 0)) as minor
  from (select *, max(month) filter (where taken_points = 0) over (partition by cohort) as empty_at from lasting) l
  group by l.cohort)
select distinct on (d.cohort) d.cohort,
  d.is_apart as "isApart",
  ${AMOUNTS.map((name) => `d.${name}::text`).join(",\n  ")},
  l.taken_points::text as taken_points,
  coalesce(s.minor, 0)::text as taken_minor
from liability_deferral d
join lasting l on l.month = d.month and l.cohort = d.cohort
join share s on s.cohort = d.cohort
order by d.cohort, d.month desc`;

type DeferralRow = { readonly cohort: number; readonly isApart: boolean } & Readonly<
  Record<string, string | number | boolean>
>;

/** The deferrals of a closed month, as they were stored at its close. */
export async function selectDeferrals(queryable: Queryable, month: number): Promise<CohortDeferral[]> {
  return (await queryable.query<DeferralRow>(DEFERRALS, [month])).map(deferralOf);
}

/** The state of each month of issue at the last close. */
export async function selectStates(queryable: Queryable): Promise<Map<number, StoredState>> {
  const rows = (await queryable.query<DeferralRow>(STATES)).map(deferralOf);
  return new Map(rows.map(({ cohort, state }) => [cohort, state]));
}

function deferralOf(row: DeferralRow): CohortDeferral {
  const of = (name: string) => BigInt(row[name] ?? 0);
  const deferral: Deferral = {
    opening: of("opening"),
    additions: of("additions"),
    takenBack: of("taken_back"),
    redemption: of("redemption"),
    breakage: of("breakage"),
    reestimate: of("reestimate"),
    closing: of("closing"),
  };
  const allocated = of("allocated");
  return {
    cohort: row.cohort,
    deferral,
    state: {
      ...{ allocated, recognised: allocated - deferral.closing },
      ...{ issued: of("issued"), redeemed: of("redeemed"), lapsed: of("lapsed") },
      ...{ takenPoints: of("taken_points"), takenMinor: of("taken_minor"), isApart: row.isApart },
    },
  };
}

const INSERT_DEFERRALS = `insert into liability_deferral (month, cohort, is_apart, ${AMOUNTS.join(", ")})
select $1, *
from unnest($2::integer[], $3::boolean[], ${AMOUNTS.map((_, n) => `$${n + 4}::numeric[]`).join(", ")})`;

export async function insertDeferrals(tx: Tx, month: number, rows: readonly CohortDeferral[]): Promise<void> {
  if (rows.length === 0) return;
  const amounts = rows.map(({ deferral: d, state: s }) => [
    ...[d.opening, d.additions, d.takenBack, d.redemption, d.breakage, d.reestimate, d.closing],
    ...[s.allocated, s.issued, s.redeemed, s.lapsed],
  ]);
  await tx.execute(INSERT_DEFERRALS, [
    month,
    rows.map(({ cohort }) => cohort),
    rows.map(({ state }) => state.isApart),
    ...AMOUNTS.map((_, n) => amounts.map((of) => String(of[n]))),
  ]);
}
