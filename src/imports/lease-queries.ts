import type { Queryable } from "../db/pool.ts";

/** The right to work on an import, until it is lost by time. */
export interface ImportLease {
  readonly uid: string;
  readonly leaseUid: string;
  /** This one and those before it, since something was done. */
  readonly attempts: number;
}

/** Leases are renewed well within their 60 seconds. */
export const RENEW_MS = 15_000;

// Leases run by the database's machine clock: they are about crashes, not about the store's time. An attempt counts when it begins:
// a process that dies of it counts nothing afterwards.
const CLAIM = `update import i
set lease_uid = $1,
  lease_until = clock_timestamp() + interval '60 seconds',
  attempts = least(i.attempts + 1, 1000)
where i.uid = (
  select w.uid
  from import w
  where w.state in ('checking', 'importing', 'undoing')
    and (w.lease_until is null or w.lease_until < clock_timestamp())
  order by w.created_at
  limit 1
  for no key update skip locked)
returning i.uid,
  i.lease_uid as "leaseUid",
  i.attempts`;

const RENEW = `update import
set lease_until = clock_timestamp() + interval '60 seconds'
where uid = $1
  and lease_uid = $2`;

const RELEASE = `update import
set lease_uid = null,
  lease_until = clock_timestamp() + make_interval(secs => $3),
  attempts = greatest(attempts - $4, 0)
where uid = $1
  and lease_uid = $2`;

/** Takes the oldest import that waits for work and that nobody has in hand; undefined: there is none. */
export async function claimImport(queryable: Queryable, leaseUid: string): Promise<ImportLease | undefined> {
  const rows = await queryable.query<ImportLease>(CLAIM, [leaseUid]);
  return rows[0];
}

/** Answers whether the lease was still held. */
export async function renewLease(queryable: Queryable, { uid, leaseUid }: ImportLease): Promise<boolean> {
  return (await queryable.execute(RENEW, [uid, leaseUid])) === 1;
}

const PROGRESS = `update import
set attempts = 0
where uid = $1
  and lease_uid = $2
  and attempts > 0`;

/** Something of the part in hand was done: what fails from here on is another failure. */
export async function noteProgress(queryable: Queryable, { uid, leaseUid }: ImportLease): Promise<void> {
  await queryable.execute(PROGRESS, [uid, leaseUid]);
}

/** Leaves the work to whoever comes next, no sooner than in so many seconds. */
export async function releaseLease(
  queryable: Queryable,
  { uid, leaseUid }: ImportLease,
  { waitS, isFailed }: { readonly waitS: number; readonly isFailed: boolean },
): Promise<void> {
  await queryable.execute(RELEASE, [uid, leaseUid, waitS, isFailed ? 0 : 1]);
}
