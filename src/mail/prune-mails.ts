import type { Deps } from "../deps.ts";

/** How many days the log of mails is kept, and with it the keys that prevent a second sending. */
export const MAIL_LOG_DAYS = 30;
const PIECE = 10_000;

const PRUNE = `delete from mail
where uid in (
  select uid
  from mail
  where state <> 'waiting'
    and ended_at < clock_timestamp() - make_interval(days => $1)
  limit ${PIECE})`;

/** Deletes mails that ended 30 days ago or earlier; returns how many. */
export async function pruneMails(deps: Pick<Deps, "db">, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (let removed = PIECE; removed === PIECE && signal?.aborted !== true; count += removed)
    removed = await deps.db.execute(PRUNE, [MAIL_LOG_DAYS]);
  return count;
}
