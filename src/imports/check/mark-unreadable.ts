import type { Deps } from "../../deps.ts";
import type { ImportLease } from "../lease-queries.ts";
import type { UnreadableFile } from "../read/read-rows.ts";

const MARK = `update import
set state = 'uploaded',
  error = $3,
  unreadable_line = $4,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2
  and state = 'checking'`;

/** Ends a check that could not read the file, under its lease. The file may be read with other settings, or cancelled. */
export async function markUnreadable(
  deps: Pick<Deps, "db">,
  { uid, leaseUid }: ImportLease,
  { code, line }: UnreadableFile,
): Promise<void> {
  await deps.db.execute(MARK, [uid, leaseUid, code, line]);
}
