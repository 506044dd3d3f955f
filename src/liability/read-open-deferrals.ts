import type { Queryable } from "../db/pool.ts";
import { type CohortDeferral, deferMonths } from "./deferrals.ts";
import type { Estimate } from "./estimates.ts";
import { selectSaleMovements, selectStates } from "./report-queries.ts";

/** The deferrals of the open months, by month. */
export async function readOpenDeferrals(
  queryable: Queryable,
  { from, until, estimates }: { from: number; until: number; estimates: readonly Estimate[] },
): Promise<Map<number, CohortDeferral[]>> {
  const [states, movements] = await Promise.all([selectStates(queryable), selectSaleMovements(queryable, from, until)]);
  return deferMonths({ states, movements }, estimates, { from, until });
}
