import { isLeaseOver, leaseEnd } from "../../db/lease.ts";
import type { Queryable } from "../../db/pool.ts";

/** Time after the last renewal of a lease after which another worker may take the receiver. */
export const LEASE_MS = 5_000;
/** Leases are renewed only below this remaining time, so that most calls write nothing. */
const RENEWED_BELOW_S = 3.5;

/** Seconds. A lease that ends later is of a clock that was ahead and has been corrected since: no process would renew it, and nothing would be delivered. */
const TOO_LATE_S = 60;

// Takes all available receivers and renews the held ones in one statement. Skips rows that another transaction has locked.
const LEASE = `
update subscription
set lease_uid = $1, lease_until = ${leaseEnd(LEASE_MS / 1_000)}
where uid in (
  select w.uid
  from subscription w
  where w.lease_until is null
    or ${isLeaseOver("w", TOO_LATE_S)}
    or (w.lease_uid = $1 and w.lease_until < ${leaseEnd(RENEWED_BELOW_S)})
  for no key update skip locked)
returning uid`;

/**
 * Takes every receiver that no worker serves, and renews those that this worker (`leaseUid`) holds. Returns the uids of the subscriptions taken or
 * renewed now. One worker serves a receiver at a time; when it dies, its lease ends by the machine clock of the database.
 */
export async function leaseReceivers(queryable: Queryable, leaseUid: string): Promise<string[]> {
  const rows = await queryable.query<{ uid: string }>(LEASE, [leaseUid]);
  return rows.map(({ uid }) => uid);
}

const RELEASE = `
update subscription
set lease_uid = null, lease_until = null
where lease_uid = $1`;

/** Releases the receivers that this worker (`leaseUid`) serves, so that another worker can continue immediately. */
export async function releaseReceivers(queryable: Queryable, leaseUid: string): Promise<void> {
  await queryable.execute(RELEASE, [leaseUid]);
}
