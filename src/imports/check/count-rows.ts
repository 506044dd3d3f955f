import type { Deps } from "../../deps.ts";

const COUNT_CUSTOMERS = `select count(*) as customers,
  coalesce(max(greatest(c.added, c.taken)), 0)::text as largest
from (
  select sum(greatest(r.point_value, 0)) as added,
    -sum(least(r.point_value, 0)) as taken
  from import_row r
  where r.import_uid = $1
  group by r.bucket, r.customer_uid) c`;

const COUNT_WARNINGS = `select count(distinct f.n) as warnings
from import_fault f
where f.import_uid = $1
  and f.phase = 'warning'`;

/** The counts of a check's valid rows. */
export interface RowCounts {
  /** The number of customers; 0 for a file of customers, whose rows are stored elsewhere. */
  readonly customers: bigint;
  /** The most points that one customer gets or loses; a text, because it may exceed a bigint. */
  readonly largest: string;
  /** The number of rows with a warning. */
  readonly warnings: bigint;
}

/** Counts the valid rows of a check and its warnings. */
export async function countRows(deps: Pick<Deps, "db">, uid: string): Promise<RowCounts> {
  const [counts] = await deps.db.query<Omit<RowCounts, "warnings">>(COUNT_CUSTOMERS, [uid]);
  const [warned] = await deps.db.query<Pick<RowCounts, "warnings">>(COUNT_WARNINGS, [uid]);
  if (counts === undefined || warned === undefined) throw new Error("a count has no row");
  return { ...counts, ...warned };
}
