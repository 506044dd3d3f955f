import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";

// To the receiver at which it failed, or to the topic's present subscription if that receiver was deleted.
const REPLAY = `
update delivery d
set state = 'waiting', attempts = 0, due_at = $2, subscription_uid = s.uid, revival = s.revivals
from outbox_event e, subscription s
where d.uid = $1
  and d.state = 'failed'
  and e.bucket = d.bucket
  and e.uid = d.uid
  and s.topic = e.topic
  and (s.uid = d.subscription_uid
    or (not s.is_additional and not exists (select from subscription own where own.uid = d.subscription_uid)))`;

/**
 * Sends a failed delivery again, with the same id, as if it were new (program.md 7). Throws `not_found` if no failed delivery has this uid, or if its
 * topic has no subscription.
 */
export async function replayDelivery(tx: Tx, deps: Pick<Deps, "clock" | "wake">, uid: string): Promise<void> {
  const count = await tx.execute(REPLAY, [uid, deps.clock.now()]);
  if (count === 0) throw new Problem("not_found");
  tx.afterCommit(() => deps.wake.deliveries());
}
