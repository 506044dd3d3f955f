import type { Deps } from "../deps.ts";

const PIECE = 10_000;

const PRUNE = `delete from api_request
where ctid = any(array(
  select ctid
  from api_request
  where at < clock_timestamp() - make_interval(hours => $1)
  limit ${PIECE}))`;

/** Removes lines of the request log that are older than POINTKEEPER_KEEP_REQUESTS_HOURS; returns how many. */
export async function pruneRequests(deps: Pick<Deps, "db" | "config">, signal?: AbortSignal): Promise<number> {
  const hours = deps.config.retention.requestHours;
  let count = 0;
  for (let removed = PIECE; removed === PIECE && signal?.aborted !== true; count += removed)
    removed = await deps.db.execute(PRUNE, [hours]);
  await deps.db.execute(
    "delete from api_request_unlisted where hour < clock_timestamp() - make_interval(hours => $1)",
    [hours],
  );
  return count;
}
