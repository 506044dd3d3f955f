import type { Deps } from "../deps.ts";

const RELEASE = `
update subscription
set lease_uid = null, lease_until = null
where lease_uid = $1`;

/** Gives back what this worker (`leaseUid`) serves, so that another goes on at once. */
export async function releaseReceivers(deps: Pick<Deps, "db">, leaseUid: string): Promise<void> {
  await deps.db.execute(RELEASE, [leaseUid]);
}
