import type { Tx } from "../../db/pool.ts";
import type { ImportLease } from "../lease-queries.ts";
import type { ProfileCounts } from "./count-profiles.ts";
import type { RowCounts } from "./count-rows.ts";

const FINISH = `update import
set state = 'checked',
  customer_count = $3,
  warning_count = $4,
  largest_points = $5::text::numeric,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2
  and state = 'checking'`;

const KEEP_COUNTS = `update import_step
set created_count = $2,
  changed_count = $3
where import_uid = $1
  and phase = 'check'
  and n = 0`;

/** Ends a dry run with its counts, unless the lease was lost. `profiles` is for a file of customers. */
export async function finishCheck(
  tx: Tx,
  { uid, leaseUid }: ImportLease,
  { customers, warnings, largest }: RowCounts,
  profiles: ProfileCounts | null,
): Promise<void> {
  const counted = [profiles?.customers ?? customers, warnings, largest];
  if ((await tx.execute(FINISH, [uid, leaseUid, ...counted])) === 0) return;
  if (profiles !== null) await tx.execute(KEEP_COUNTS, [uid, profiles.created, profiles.changed]);
}
