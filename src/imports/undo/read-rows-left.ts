import type { Queryable } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import type { StoredIssue } from "../issue.ts";
import { FIRST_ISSUE, type IssuePlace } from "../queries.ts";

/** A row that was not undone, or not completely, and its customer. */
export interface RowLeft extends StoredIssue {
  /** Null: the customer was removed, or the row's customer is not stored any more. */
  readonly customerId: string | null;
  readonly email: string | null;
}

// A row's bucket is not in its issue, so that the rows of the file are read once a page.
const SELECT_LEFT = `with page as materialized (
  select f.n, f.line, f.code, f.member, f.value
  from import_fault f
  where f.import_uid = $1
    and f.phase = 'undo'
    and (f.n, f.code) > ($2, $3)
  order by f.n, f.code
  limit $4),
named as (
  select r.n, r.bucket, r.customer_uid
  from import_row r
  where r.import_uid = $1
    and r.n in (select n from page)
  union
  select g.n, g.customer_bucket, g.customer_uid
  from import_change g
  where g.import_uid = $1
    and g.n in (select n from page))
select p.n,
  p.line,
  p.code,
  p.member as field,
  p.value,
  c.storefront_id as "customerId",
  c.email
from page p
left join named m on m.n = p.n
left join customer c on c.bucket = m.bucket and c.customer_uid = m.customer_uid
order by p.n, p.code`;

/** Returns rows of an import that could not be undone, with the reason and the customer of each, in the order of the rows, after a place. */
export function readRowsLeft(
  queryable: Queryable,
  { uid }: Pick<CsvImport, "uid">,
  { after = FIRST_ISSUE, limit }: { readonly after?: IssuePlace; readonly limit: number },
): Promise<RowLeft[]> {
  return queryable.query<RowLeft>(SELECT_LEFT, [uid, after.n, after.code, limit]);
}
