import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const LOCK_READY = `select e.uid,
  e.start_at as "startAt",
  e.end_at as "endAt"
from export e
where e.state = 'ready'
order by e.uid
for no key update`;

// A statement contains every customer with a change in its period: statement-queries.ts.
const NAMING = `select distinct e.uid
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join allotment a on a.bucket = k.bucket and a.customer_uid = k.customer_uid
join unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[]) as e (uid, start_at, end_at)
  on a.allotted_at >= e.start_at and a.allotted_at < e.end_at`;

const DROP = `update export
set state = 'failed',
  error = 'removed: it named a customer whose data was erased'
where uid = any($1::uuid[])`;

const DROP_PIECES = `delete from export_piece
where export_uid = any($1::uuid[])`;

// A worker that is making one has already read the customers: it loses its lease, and the file is made again.
const MAKE_ANEW = `update export
set lease_uid = null,
  lease_until = null,
  attempts = greatest(attempts - 1, 0)
where state = 'processing'`;

/**
 * Removes the files that contain the customers: their URL returns 404, and the export may be requested again at once.
 */
export async function eraseExports(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  const uids = await namingExports(tx, refs);
  await Promise.all([tx.execute(DROP, [uids]), tx.execute(DROP_PIECES, [uids]), tx.execute(MAKE_ANEW)]);
}

interface ReadyExport {
  readonly uid: string;
  readonly startAt: Temporal.Instant;
  readonly endAt: Temporal.Instant;
}

/** Locks the existing files, and returns those that contain the customers. */
async function namingExports(tx: Tx, refs: readonly CustomerRef[]): Promise<string[]> {
  const ready = await tx.query<ReadyExport>(LOCK_READY);
  if (ready.length === 0 || refs.length === 0) return [];
  const rows = await tx.query<{ uid: string }>(NAMING, [
    refs.map(({ bucket }) => bucket),
    refs.map(({ customerUid }) => customerUid),
    ready.map(({ uid }) => uid),
    ready.map(({ startAt }) => startAt),
    ready.map(({ endAt }) => endAt),
  ]);
  return rows.map(({ uid }) => uid);
}
