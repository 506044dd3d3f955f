import { leaseEnd } from "../db/lease.ts";
import type { Deps } from "../deps.ts";

/** How many days the log of mails is kept, and with it the keys that prevent a second sending. */
const MAIL_LOG_DAYS = 30;
const PIECE = 10_000;
/** Seconds; no lease and no wait for the next attempt is that long. */
const LONGEST_S = 50_000;

const PRUNE = `delete from mail
where uid in (
  select uid
  from mail
  where state <> 'waiting'
    and ended_at < clock_timestamp() - make_interval(days => $1)
  limit ${PIECE})`;

// The claim of a mail does not look for them: it reads an index in order, once for each mail.
const FREE_LATE = `update mail
set lease_until = clock_timestamp()
where state = 'waiting'
  and lease_until > ${leaseEnd(LONGEST_S)}`;

/**
 * Deletes mails that ended 30 days ago or earlier; returns how many. Also frees those whose lease or next attempt only a clock that was ahead can have
 * stored (decision 63).
 */
export async function pruneMails(deps: Pick<Deps, "db">, signal?: AbortSignal): Promise<number> {
  await deps.db.execute(FREE_LATE);
  let count = 0;
  for (let removed = PIECE; removed === PIECE && signal?.aborted !== true; count += removed)
    removed = await deps.db.execute(PRUNE, [MAIL_LOG_DAYS]);
  return count;
}
