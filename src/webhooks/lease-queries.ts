import { isLeaseOver, leaseEnd } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";

/** Another worker may take a receiver this time after its worker last renewed the lease. */
export const LEASE_MS = 5_000;
/** So that nothing is written most of the time. */
const RENEWED_BELOW_S = 3.5;

// All that may be taken at once, in one statement with what is renewed. A row that another transaction holds is left alone.
const LEASE = `
update subscription
set lease_uid = $1, lease_until = ${leaseEnd(LEASE_MS / 1_000)}
where uid in (
  select w.uid
  from subscription w
  where w.lease_until is null
    or ${isLeaseOver("w")}
    or (w.lease_uid = $1 and w.lease_until < ${leaseEnd(RENEWED_BELOW_S)})
  for no key update skip locked)
returning uid`;

/**
 * Takes every receiver that no worker serves, and renews what this worker (`leaseUid`) holds; returns those taken or renewed now,
 * by uid of the subscription. One worker serves a receiver at a time; when it dies its lease runs out by the database's machine
 * clock.
 */
export async function leaseReceivers(queryable: Queryable, leaseUid: string): Promise<string[]> {
  const rows = await queryable.query<{ uid: string }>(LEASE, [leaseUid]);
  return rows.map(({ uid }) => uid);
}

const RELEASE = `
update subscription
set lease_uid = null, lease_until = null
where lease_uid = $1`;

/** Gives back what this worker (`leaseUid`) serves, so that another continues immediately. */
export async function releaseReceivers(queryable: Queryable, leaseUid: string): Promise<void> {
  await queryable.execute(RELEASE, [leaseUid]);
}
