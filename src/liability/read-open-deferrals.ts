import type { Queryable } from "../db/pool.ts";
import type { LiabilityBook } from "./book.ts";
import { type CohortDeferral, deferMonths } from "./deferrals.ts";
import type { Estimate } from "./estimates.ts";
import { selectSaleMovements, selectStates } from "./report-queries.ts";
import { areSeparatedTo } from "./unpriced.ts";
import { selectUnpricedMark } from "./unpriced-queries.ts";

export interface OpenMonths {
  readonly from: number;
  readonly until: number;
  readonly estimates: readonly Estimate[];
  readonly book: LiabilityBook;
}

/** The deferrals of the open months, by month. */
export async function readOpenDeferrals(
  queryable: Queryable,
  { from, until, estimates, book }: OpenMonths,
): Promise<Map<number, CohortDeferral[]>> {
  const [states, movements, mark] = await Promise.all([
    selectStates(queryable),
    selectSaleMovements(queryable, from, until),
    selectUnpricedMark(queryable),
  ]);
  const given = { states, movements, areUnpricedSeparated: areSeparatedTo(until, mark, book) };
  return deferMonths(given, estimates, { from, until });
}
