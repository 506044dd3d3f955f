import type { Queryable, Tx } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import { bookmarkParams, type SettledRange } from "../metrics/range-queries.ts";
import type { MovementKind } from "../wire/liability.ts";
import type { LiabilityBook } from "./book.ts";
import type { StoreMonths } from "./month.ts";
import { UNSTATED } from "./movement-kind.ts";
import { movementsSql } from "./movement-sql.ts";

const SELECT_BOOK = `select b.time_zone as "timeZone",
  b.allotted_at as "allottedAt",
  b.allotment_uid as "allotmentUid",
  (select max(month) from liability_month) as "closedMonth",
  not exists (select from liability_sum) as "isEmpty"
from liability_book b`;

export interface StoredBook extends LiabilityBook {
  readonly isEmpty: boolean;
}

export async function selectBook(queryable: Queryable): Promise<StoredBook> {
  const [book] = await queryable.query<StoredBook>(SELECT_BOOK);
  if (book === undefined) throw new Error("liability_book has no row");
  return book;
}

/** Reads the book and locks it for the transaction that counts or closes. */
export async function lockBook(tx: Tx): Promise<StoredBook> {
  await tx.execute("select from liability_book for update");
  return selectBook(tx);
}

const UPDATE_BOOK = `update liability_book
set time_zone = $1,
  allotted_at = $2,
  allotment_uid = $3`;

export function updateBook(tx: Tx, book: Omit<LiabilityBook, "closedMonth">) {
  return tx.execute(UPDATE_BOOK, [book.timeZone, ...bookmarkParams(book)]);
}

export function deleteSums(tx: Tx) {
  return tx.execute("delete from liability_sum");
}

/** The sums of the movements that agree in month, cohort, origin, cause, type, sign and source; `money` in minor units. */
export interface MovementSums {
  readonly month: number;
  readonly cohort: number;
  readonly origin: string;
  readonly causeMonth: number;
  readonly type: AllotmentType;
  readonly isGain: boolean;
  readonly source: string;
  readonly points: bigint;
  readonly movements: bigint;
  readonly money: bigint;
}

/** The most allotments that a range may have. */
export const RANGE_ROWS = 20_000;

/**
 * SQL for the allotments of a range that moved points: parameters 1 to 4. `condition` narrows the allotments `a`. The limit excludes none: it tells
 * the planner the size of the range, which it otherwise takes for a part of the whole table, and joins whole tables with it.
 */
export function rangeSql(condition = "true"): string {
  return `select a.*
  from allotment a
  where (a.allotted_at, a.uid) > ($1::timestamptz, $2::uuid)
    and (a.allotted_at, a.uid) <= ($3::timestamptz, $4::uuid)
    and a.point_value <> 0
    and ${condition}
  order by a.allotted_at, a.uid
  limit ${RANGE_ROWS}`;
}

/** SQL for the month of an instant: parameters 5 and 6. */
export const monthOf = (instant: string) => `($5::integer[])[greatest(width_bucket(${instant}, $6::timestamptz[]), 1)]`;

/** SQL for the sums of movements, one row for each combination of the fields that identify a sum. */
export function sumsSql(movements: string): string {
  return `select ${monthOf("m.allotted_at")} as month,
  ${monthOf("m.since")} as cohort,
  coalesce(m.origin, '${UNSTATED}') as origin,
  ${monthOf("m.cause_at")} as "causeMonth",
  m.type,
  m."isGain",
  m.source,
  sum(m.points)::text as points,
  count(*) as movements,
  sum(m.money)::text as money
from (
  select uid, allotted_at, type, "isGain", case when source in ('merge', 'undo', 'csv_undo') then source else '' end as source,
    since, origin, cause_at, sum(points) as points, sum(money) as money
  from ${movements}
  group by 1, 2, 3, 4, 5, 6, 7, 8) m
group by 1, 2, 3, 4, 5, 6, 7`;
}

const SUM_RANGE = `${movementsSql(rangeSql())}
${sumsSql("movement")}`;

/** Sums the movements of a range of settled allotments, one row for each combination of the fields that identify a sum. */
export async function sumRange(
  tx: Tx,
  { from, to }: SettledRange,
  { months, starts }: StoreMonths,
): Promise<MovementSums[]> {
  const params = [...bookmarkParams(from), ...bookmarkParams(to), months, starts];
  return (await tx.query<MovementSumsRow>(SUM_RANGE, params)).map(toMovementSums);
}

/** The sums of movements as they are read. */
export type MovementSumsRow = Omit<MovementSums, "points" | "money"> & {
  readonly points: string;
  readonly money: string;
};

export function toMovementSums(row: MovementSumsRow): MovementSums {
  return { ...row, points: BigInt(row.points), money: BigInt(row.money) };
}

/** A row of `liability_sum`. */
export interface SumRow extends Omit<MovementSums, "type" | "isGain" | "source"> {
  readonly kind: MovementKind;
}

const ADD = `insert into liability_sum as l (month, cohort, origin, kind, cause_month, points, movements, money)
select *
from unnest($1::integer[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::numeric[], $7::bigint[], $8::numeric[])
on conflict (month, cohort, origin, kind, cause_month) do update
set points = l.points + excluded.points,
  movements = l.movements + excluded.movements,
  money = l.money + excluded.money`;

/** The parameters of rows that begin with the key of a sum: month, month of issue, origin, kind, month of the cause; and the points. */
export function sumParams(rows: readonly SumRow[]) {
  return [
    rows.map(({ month }) => month),
    rows.map(({ cohort }) => cohort),
    rows.map(({ origin }) => origin),
    rows.map(({ kind }) => kind),
    rows.map(({ causeMonth }) => causeMonth),
    rows.map(({ points }) => points.toString()),
  ];
}

export async function addSums(tx: Tx, rows: readonly SumRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(ADD, [
    ...sumParams(rows),
    rows.map(({ movements }) => movements),
    rows.map(({ money }) => money.toString()),
  ]);
}
