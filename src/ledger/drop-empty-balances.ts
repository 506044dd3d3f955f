import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const DROP = `delete from balance b
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where b.bucket = k.bucket
  and b.customer_uid = k.customer_uid
  and b.version = 0
  and b.ledger_points = 0
  and b.held_points = 0
  and b.owed_points = 0
  and b.merged_into is null
  and not b.is_deleted
  and not exists (select from reservation r where r.bucket = b.bucket and r.customer_uid = b.customer_uid)
returning b.bucket,
  b.customer_uid as "customerUid"`;

/** Removes the locked balances of which no allotment was ever written. Answers which they were: the others stay. */
export function dropEmptyBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<CustomerRef[]> {
  return tx.query<CustomerRef>(DROP, [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)]);
}
