import type { Deps } from "../../deps.ts";
import { type Topic, WEBHOOK_TOPICS } from "../topics/index.ts";
import { type FailingSubscription, selectFailingSubscriptions } from "./failing-queries.ts";

const SLICE_ROWS = 2_000;
/** The maximum number of deliveries of one call: the work of one request. */
const CALL_ROWS_MAX = 20_000;

// To the topic's present subscription, as in `replayDelivery`.
const REPLAY_SLICE = `
with again as materialized (
  select d.bucket, d.uid
  from delivery d
  where d.subscription_uid = $2
    and d.state = 'failed'
    and d.due_at >= coalesce($3::timestamptz, '-infinity')
  order by d.due_at, d.uid
  limit $6
  for update skip locked)
update delivery d
set state = 'waiting', attempts = 0, due_at = $1, subscription_uid = $4, revival = $5
from again
where d.bucket = again.bucket
  and d.uid = again.uid
  and d.subscription_uid = $2`;

/**
 * Sends failed deliveries again as if they were new (program.md 7), in slices: those that failed at or after `since` (null: all) for a topic (null:
 * all topics) that has a subscription. `onSlice` is called with the size of each slice. Returns the total, and whether there are more: then call
 * it again.
 */
export async function replayFailed(
  deps: Pick<Deps, "db" | "clock" | "wake">,
  query: { readonly since: Temporal.Instant | null; readonly topic: Topic | null },
  onSlice: (count: number) => void,
): Promise<{ replayed: number; hasMore: boolean }> {
  const topics = query.topic === null ? WEBHOOK_TOPICS.map(({ name }) => name) : [query.topic];
  let replayed = 0;
  for (const failing of await selectFailingSubscriptions(deps.db, topics)) {
    let count: number;
    do {
      if (replayed >= CALL_ROWS_MAX) return { replayed, hasMore: true };
      count = await replaySlice(deps, failing, query.since);
      replayed += count;
      onSlice(count);
    } while (count === SLICE_ROWS);
  }
  return { replayed, hasMore: false };
}

async function replaySlice(
  deps: Pick<Deps, "db" | "clock" | "wake">,
  { uid, nextUid, revivals }: FailingSubscription,
  since: Temporal.Instant | null,
): Promise<number> {
  if (nextUid === null) return 0;
  const count = await deps.db.execute(REPLAY_SLICE, [deps.clock.now(), uid, since, nextUid, revivals, SLICE_ROWS]);
  if (count > 0) deps.wake.deliveries();
  return count;
}
