import type { Tx } from "../db/pool.ts";
import { CHANGE_COLUMNS, CHANGE_PLACE, EXACT_BELOW } from "../ledger/change-columns.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

const SUMS = CHANGE_COLUMNS.map(
  (column, place) =>
    `(sum(a.point_value::double precision) filter (where a.point_value <> 0 and ${CHANGE_PLACE} = ${place}))::bigint as ${column}`,
).join(",\n    ");

// Sums in floating point are exact below this, and those of a customer who had more points stay as they are: statements read the allotments.
const ADD = `with behind as materialized (
  select k.bucket, k.customer_uid, k.summed_version
  from unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)
  join figure_customer k on k.bucket = u.bucket and k.customer_uid = u.customer_uid
  join balance b on b.bucket = k.bucket and b.customer_uid = k.customer_uid and b.version > k.summed_version)
update figure_customer f
set summed_version = s.last_version,
  ${CHANGE_COLUMNS.map((column) => `${column} = coalesce(f.${column} + s.${column}, f.${column}, s.${column})`).join(",\n  ")}
from (
  select a.bucket,
    a.customer_uid,
    max(a.version) as last_version,
    ${SUMS}
  from behind k
  join allotment a on a.bucket = k.bucket and a.customer_uid = k.customer_uid and a.version > k.summed_version
  group by a.bucket, a.customer_uid
  having sum(abs(a.point_value::double precision)) < ${EXACT_BELOW}) s
where f.bucket = s.bucket
  and f.customer_uid = s.customer_uid
  and ${CHANGE_COLUMNS.map((column) => `abs(coalesce(f.${column}, 0)) < ${EXACT_BELOW}`).join("\n  and ")}`;

const JOINS = ["enable_hashjoin", "enable_mergejoin"] as const;

/**
 * Adds the allotments that the sums of these customers do not have yet, found by key: other joins would read all tables for a few thousand customers.
 * The caller has locked the state of the metrics.
 */
export async function addCustomerSums(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  for (const join of JOINS) await tx.execute(`set local ${join} = off`);
  await tx.execute(ADD, refKeys(customers));
  for (const join of JOINS) await tx.execute(`set local ${join} = on`);
}

const DIFFERENCES = `select format('customer %s changed by %s up to version %s, counted is %s', f.customer_uid, s.sums, f.summed_version,
    concat_ws(' ', ${CHANGE_COLUMNS.map((column) => `coalesce(f.${column}, 0)`).join(", ")})) as found
from figure_customer f
left join (
  select a.bucket,
    a.customer_uid,
    count(*) as versions,
    concat_ws(' ', ${CHANGE_COLUMNS.map((_, place) => `coalesce(sum(a.point_value) filter (where ${CHANGE_PLACE} = ${place}), 0)`).join(", ")}) as sums
  from allotment a
  join figure_customer k on k.bucket = a.bucket and k.customer_uid = a.customer_uid and k.summed_version >= a.version
  group by a.bucket, a.customer_uid) s on s.bucket = f.bucket and s.customer_uid = f.customer_uid
where f.summed_version > 0
  and (s.versions is distinct from f.summed_version
    or s.sums is distinct from concat_ws(' ', ${CHANGE_COLUMNS.map((column) => `coalesce(f.${column}, 0)`).join(", ")}))
limit 1000`;

/** Compares the stored sums with the allotments; returns the differences. */
export async function verifySums(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ found: string }>(DIFFERENCES);
  return rows.map(({ found }) => found);
}
