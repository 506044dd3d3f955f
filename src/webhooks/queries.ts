import type { Queryable } from "../db/pool.ts";
import type { Topic } from "./topics/index.ts";

/** A webhook subscription (interface.md 2.8). It is active as long as it exists. */
export interface Subscription {
  uid: string;
  topic: Topic;
  callbackUrl: string;
  activatedAt: Temporal.Instant;
}

const SUBSCRIPTION = `
select uid, topic, callback_url as "callbackUrl", activated_at as "activatedAt"
from subscription`;

/** The subscription of a topic, or undefined. */
export async function findSubscription(queryable: Queryable, topic: Topic): Promise<Subscription | undefined> {
  const [row] = await queryable.query<Subscription>(`${SUBSCRIPTION}\nwhere topic = $1`, [topic]);
  return row;
}

/** Every subscription, oldest first. */
export async function selectSubscriptions(queryable: Queryable): Promise<Subscription[]> {
  return queryable.query<Subscription>(`${SUBSCRIPTION}\norder by activated_at, topic`);
}

/**
 * True of a delivery `d` that waits for an earlier one of its customer, which has failed at most $1 times: one after the other
 * while the receiver is healthy (program.md 7).
 */
export function heldBack(attemptsMaxParam: string, exceptParam?: string): string {
  return `exists (
    select
    from delivery earlier
    where earlier.subscription_uid = d.subscription_uid
      and earlier.customer_uid = d.customer_uid
      and (earlier.version, earlier.uid) < (d.version, d.uid)
      and earlier.state = 'waiting'
      and earlier.attempts > 0
      and earlier.attempts <= ${attemptsMaxParam}${
        exceptParam === undefined ? "" : `\n      and earlier.uid <> all(${exceptParam})`
      })`;
}
