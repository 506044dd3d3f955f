import type { Queryable } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import type { StoredIssue } from "../issue.ts";
import { FIRST_ISSUE, type IssuePlace, selectIssues } from "../queries.ts";

/** A row that was not undone, or not completely, and its customer. */
export interface RowLeft extends StoredIssue {
  /** Null: the customer was removed, or the row's customer is not stored any more. */
  readonly customerId: string | null;
  readonly email: string | null;
}

// A row's bucket is not in its issue, so the span of rows of a page is read in each bucket: all pages together read the file's rows once.
// `offset 0` keeps this a search of the primary key, whatever the statistics say.
const ofSpan = (table: string, bucket: string) => `select r.n, r.bucket, r.customer_uid
  from generate_series(0, 255) b (bucket)
  cross join lateral (
    select t.n, t.${bucket} as bucket, t.customer_uid
    from ${table} t
    where t.import_uid = $1
      and t.bucket = b.bucket::smallint
      and t.n between $2 and $3
    offset 0) r
  where r.n = any($4::integer[])`;

const SELECT_CUSTOMERS = `select r.n,
  c.storefront_id as "customerId",
  c.email
from (
  ${ofSpan("import_row", "bucket")}
  union
  ${ofSpan("import_change", "customer_bucket")}) r
join customer c on c.bucket = r.bucket and c.customer_uid = r.customer_uid`;

/** Returns rows of an import that could not be undone, with the reason and the customer of each, in the order of the rows, after a place. */
export async function readRowsLeft(
  queryable: Queryable,
  { uid }: Pick<CsvImport, "uid">,
  { after = FIRST_ISSUE, limit }: { readonly after?: IssuePlace; readonly limit: number },
): Promise<RowLeft[]> {
  const issues = await selectIssues(queryable, { uid, phase: "undo", after, limit });
  const [first, last] = [issues[0], issues.at(-1)];
  if (first === undefined || last === undefined) return [];
  type Named = Pick<RowLeft, "n" | "customerId" | "email">;
  const rows = await queryable.query<Named>(SELECT_CUSTOMERS, [uid, first.n, last.n, issues.map(({ n }) => n)]);
  const customers = new Map(rows.map((row) => [row.n, row]));
  return issues.map((issue) => {
    const { customerId = null, email = null } = customers.get(issue.n) ?? {};
    return { ...issue, customerId, email };
  });
}
