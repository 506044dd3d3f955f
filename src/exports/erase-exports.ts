import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

// A statement names every customer with a change in its period: statement-queries.ts.
const FIND = `select e.uid
from export e
where e.state = 'ready'
  and exists (
    select
    from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
    join allotment a on a.bucket = k.bucket and a.customer_uid = k.customer_uid
    where a.allotted_at >= e.start_at
      and a.allotted_at < e.end_at)
for no key update of e`;

const DROP = `update export
set state = 'failed',
  error = 'removed: it named a customer whose data was erased'
where uid = any($1::uuid[])`;

const DROP_PIECES = `delete from export_piece
where export_uid = any($1::uuid[])`;

// A worker that makes one now has already read the customers: it loses its lease, and the file is made again.
const MAKE_ANEW = `update export
set lease_uid = null,
  lease_until = null,
  attempts = greatest(attempts - 1, 0)
where state = 'processing'`;

/**
 * Removes the files that name the customers: the address answers 404, and the export may be requested again at once.
 */
export async function eraseExports(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  const keys = [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)];
  const uids = (await tx.query<{ uid: string }>(FIND, keys)).map(({ uid }) => uid);
  await Promise.all([tx.execute(DROP, [uids]), tx.execute(DROP_PIECES, [uids]), tx.execute(MAKE_ANEW)]);
}
