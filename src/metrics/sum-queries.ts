import type { Tx } from "../db/pool.ts";
import { CHANGE_COLUMNS, CHANGE_PLACE, type ChangeColumn, EXACT_BELOW } from "../ledger/change-columns.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

const SUMMED = `select f.customer_uid as "customerUid",
  f.summed_version as "summedVersion"
from unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)
join figure_customer f on f.bucket = u.bucket and f.customer_uid = u.customer_uid`;

/** Returns up to which version customers' allotments are in their sums, by uid; a customer without a row has no sums. */
export async function selectSummed(tx: Tx, customers: readonly CustomerRef[]): Promise<ReadonlyMap<string, bigint>> {
  if (customers.length === 0) return new Map();
  const rows = await tx.query<{ customerUid: string; summedVersion: bigint }>(SUMMED, refKeys(customers));
  return new Map(rows.map(({ customerUid, summedVersion }) => [customerUid, summedVersion]));
}

/** Versions of a customer that its sums do not have yet: those after `from`, up to and with `to`. */
export interface UnsummedVersions extends CustomerRef {
  readonly from: bigint;
  readonly to: bigint;
}

// Sums in floating point are exact below this; those of a customer who had more points stay as they are, and statements read the allotments. Grouped
// for each customer: a setting does not reach the workers of a Citus, and neither is `offset 0` accepted there.
const READ = `select k.bucket,
  k.customer_uid as "customerUid",
  a.*
from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[]) with ordinality as k (bucket, customer_uid, above, last, i)
cross join lateral (
  select max(a.version) as "lastVersion",
    ${CHANGE_COLUMNS.map((column, place) => `(sum(a.point_value::double precision) filter (where a.point_value <> 0 and ${CHANGE_PLACE} = ${place}))::bigint as ${column}`).join(",\n    ")}
  from allotment a
  where a.bucket = k.bucket
    and a.customer_uid = k.customer_uid
    and a.version > k.above
    and a.version <= k.last
  group by a.bucket, a.customer_uid
  having sum(abs(a.point_value::double precision)) < ${EXACT_BELOW}) a`;

const ADD = `update figure_customer f
set summed_version = s.last_version,
  ${CHANGE_COLUMNS.map((column) => `${column} = coalesce(f.${column} + s.${column}, f.${column}, s.${column})`).join(",\n  ")}
from unnest($1::smallint[], $2::uuid[], $3::bigint[], ${CHANGE_COLUMNS.map((_, n) => `$${n + 4}::bigint[]`).join(", ")}) as s (bucket, customer_uid,
  last_version, ${CHANGE_COLUMNS.join(", ")})
where f.bucket = s.bucket
  and f.customer_uid = s.customer_uid
  and ${CHANGE_COLUMNS.map((column) => `abs(coalesce(f.${column}, 0)) < ${EXACT_BELOW}`).join("\n  and ")}`;

const JOINS = ["enable_hashjoin", "enable_mergejoin"] as const;

/**
 * Adds allotments to the sums of their customers; both are found by key, while other joins would read a whole table for a few thousand. The caller has
 * locked the state of the metrics.
 */
export async function addToCustomerSums(tx: Tx, unsummed: readonly UnsummedVersions[]): Promise<void> {
  if (unsummed.length === 0) return;
  const keys = [...refKeys(unsummed), unsummed.map(({ from }) => from), unsummed.map(({ to }) => to)];
  type Sums = CustomerRef & { readonly lastVersion: bigint } & Readonly<Record<ChangeColumn, bigint | null>>;
  const sums = await tx.query<Sums>(READ, keys);
  const columns = CHANGE_COLUMNS.map((column) => sums.map((each) => each[column]));
  for (const join of JOINS) await tx.execute(`set local ${join} = off`);
  await tx.execute(ADD, [...refKeys(sums), sums.map(({ lastVersion }) => lastVersion), ...columns]);
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
