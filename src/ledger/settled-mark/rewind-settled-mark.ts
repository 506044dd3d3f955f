import type { Queryable } from "../../db/pool.ts";

const REWIND = `update ledger_mark
set floor_at = '-infinity',
  settled_at = '-infinity',
  floor_xid = null
where floor_at > $1
  and not exists (select true from allotment)`;

/** Moves the mark of an empty ledger back to its beginning, because the sandbox clock is set to an earlier time. */
export async function rewindSettledMark(queryable: Queryable, to: Temporal.Instant): Promise<void> {
  await queryable.execute(REWIND, [to]);
}
