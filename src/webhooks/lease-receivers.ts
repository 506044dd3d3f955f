import type { Deps } from "../deps.ts";

/** A receiver is left to others so long after its worker was last heard of. */
export const LEASE_MS = 5_000;

// Renewed when it is 1.5 s old, so that nothing is written most of the time. A row that another transaction holds is left alone.
const LEASE = `
update subscription
set lease_uid = $1, lease_until = clock_timestamp() + interval '5 seconds'
where uid in (
  select uid
  from subscription
  where lease_until is null
    or lease_until < clock_timestamp()
    or (lease_uid = $1 and lease_until < clock_timestamp() + interval '3.5 seconds')
  for no key update skip locked)
returning uid`;

/**
 * Takes every receiver that nobody serves, and renews what this worker (`leaseUid`) holds; answers those taken or renewed now, by
 * uid of the subscription. One worker serves a receiver at a time; when it dies its lease runs out by the database's machine clock.
 */
export async function leaseReceivers(deps: Pick<Deps, "db">, leaseUid: string): Promise<string[]> {
  const rows = await deps.db.query<{ uid: string }>(LEASE, [leaseUid]);
  return rows.map(({ uid }) => uid);
}
