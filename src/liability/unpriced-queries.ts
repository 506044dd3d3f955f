import type { Queryable, Tx } from "../db/pool.ts";
import { bookmarkParams, type SettledRange } from "../metrics/range-queries.ts";
import {
  type MovementSums,
  type MovementSumsRow,
  monthOf,
  rangeSql,
  type SumRow,
  sumParams,
  sumsSql,
  toMovementSums,
} from "./book-queries.ts";
import type { StoreMonths } from "./month.ts";
import { movementsSql } from "./movement-sql.ts";
import type { UnpricedMark } from "./unpriced.ts";
import { issuesUnpricedSql, unpricedSql } from "./unpriced-sql.ts";

const SELECT_MARK = `select unpriced_zone as "timeZone",
  unpriced_at as "allottedAt",
  unpriced_uid as "allotmentUid"
from liability_book`;

export async function selectUnpricedMark(queryable: Queryable): Promise<UnpricedMark> {
  const [mark] = await queryable.query<UnpricedMark>(SELECT_MARK);
  if (mark === undefined) throw new Error("liability_book has no row");
  return mark;
}

const UPDATE_MARK = `update liability_book
set unpriced_zone = $1,
  unpriced_at = $2,
  unpriced_uid = $3`;

export function updateUnpricedMark(tx: Tx, mark: UnpricedMark) {
  return tx.execute(UPDATE_MARK, [mark.timeZone, ...bookmarkParams(mark)]);
}

const CLEAR = `update liability_sum
set unpriced = 0
where unpriced <> 0
  and month > $1`;

/** Removes what was separated in the months after a closed one. */
export function clearUnpriced(tx: Tx, closedMonth: number | null) {
  return tx.execute(CLEAR, [closedMonth ?? 0]);
}

const KNOWN = "select distinct cohort from liability_sum where unpriced > 0";
const ISSUED = `${movementsSql(rangeSql(issuesUnpricedSql("a")))}
select distinct ${monthOf("m.since")} as cohort
from movement m`;

/** The months in which points without a price were issued, up to the end of a range. In most stores there are none. */
export async function selectUnpricedCohorts(
  tx: Tx,
  { from, to }: Pick<SettledRange, "from" | "to">,
  { months, starts }: StoreMonths,
): Promise<number[]> {
  const params = [...bookmarkParams(from), ...bookmarkParams(to), months, starts];
  const [known, issued] = await Promise.all([
    tx.query<{ cohort: number }>(KNOWN),
    tx.query<{ cohort: number }>(ISSUED, params),
  ]);
  return [...new Set([...known, ...issued].map(({ cohort }) => cohort))];
}

const SUM_UNPRICED = `${unpricedSql(rangeSql(), `${monthOf("m.since")} = any($7::integer[])`)}
${sumsSql("unpriced")}`;

/** Sums the movements of a range whose points had no price, for the given months of issue. */
export async function sumUnpriced(
  tx: Tx,
  { from, to }: Pick<SettledRange, "from" | "to">,
  { months, starts, cohorts }: StoreMonths & { readonly cohorts: readonly number[] },
): Promise<MovementSums[]> {
  const params = [...bookmarkParams(from), ...bookmarkParams(to), months, starts, cohorts];
  return (await tx.query<MovementSumsRow>(SUM_UNPRICED, params)).map(toMovementSums);
}

const ADD = `update liability_sum l
set unpriced = l.unpriced + u.points
from unnest($1::integer[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::numeric[])
  as u (month, cohort, origin, kind, cause_month, points)
where l.month = u.month
  and l.cohort = u.cohort
  and l.origin = u.origin
  and l.kind = u.kind
  and l.cause_month = u.cause_month
  and l.month > $7`;

/** Adds points without a price to the sums of which they are a part, without those of closed months, which stay as they are. */
export async function addUnpriced(tx: Tx, rows: readonly SumRow[], closedMonth: number | null): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(ADD, [...sumParams(rows), closedMonth ?? 0]);
}
