import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { LOCK_SUBSCRIPTIONS_EXCLUSIVE } from "../read-active-topics.ts";

const SLICE_ROWS = 5_000;

const DELETE_SUBSCRIPTION = `
delete from subscription
where uid = $1
  and is_additional`;

const DELETE_FAILED = `
delete from delivery
where (bucket, uid, subscription_uid) in (
  select bucket, uid, subscription_uid
  from delivery
  where subscription_uid = $1
    and state = 'failed'
  limit $2)`;

/**
 * Ends an additional receiver of a topic, with all its deliveries. Its failed deliveries are not sent to any other receiver. Throws
 * `subscription_not_found`.
 */
export async function removeReceiver(deps: Pick<Deps, "db" | "wake">, uid: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_SUBSCRIPTIONS_EXCLUSIVE);
    if ((await tx.execute(DELETE_SUBSCRIPTION, [uid])) === 0) throw new Problem("subscription_not_found");
    tx.afterCommit(() => deps.wake.deliveries());
  });
  while ((await deps.db.execute(DELETE_FAILED, [uid, SLICE_ROWS])) === SLICE_ROWS);
}
