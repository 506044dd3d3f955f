import type { Queryable } from "../db/pool.ts";
import type { Topic } from "./topics/index.ts";

/** A webhook subscription (interface.md 2.8). It is active as long as it exists. */
export interface Subscription {
  uid: string;
  topic: Topic;
  callbackUrl: string;
  activatedAt: Temporal.Instant;
  /** An additional receiver. The REST API has one subscription per topic (docs/webhooks.md). */
  isAdditional: boolean;
}

const SUBSCRIPTION = `
select uid, topic, callback_url as "callbackUrl", activated_at as "activatedAt", is_additional as "isAdditional"
from subscription`;

const INSERT_SUBSCRIPTION = `
insert into subscription (topic, uid, callback_url, activated_at, secret_sealed, is_additional)
values ($1, $2, $3, $4, $5, $6)`;

export async function insertSubscription(
  queryable: Queryable,
  { topic, uid, callbackUrl, activatedAt, isAdditional }: Subscription,
  secretSealed: Uint8Array,
): Promise<void> {
  const params = [topic, uid, callbackUrl, activatedAt, secretSealed, isAdditional];
  await queryable.execute(INSERT_SUBSCRIPTION, params);
}

/** SQL: the subscription that $1 names. A topic names the subscription of the REST API, a uid any subscription. */
export const NAMED_SUBSCRIPTION = "(uid::text = $1 or (topic = $1 and not is_additional))";

export function isSameUrl(a: string, b: string): boolean {
  return a === b || new URL(a).href === new URL(b).href;
}

/** Returns the subscription of a topic; undefined: there is none. */
export async function findSubscription(queryable: Queryable, topic: Topic): Promise<Subscription | undefined> {
  const [row] = await queryable.query<Subscription>(`${SUBSCRIPTION}\nwhere topic = $1 and not is_additional`, [topic]);
  return row;
}

/** Returns every subscription of the REST API, oldest first. */
export async function selectSubscriptions(queryable: Queryable): Promise<Subscription[]> {
  return queryable.query<Subscription>(`${SUBSCRIPTION}\nwhere not is_additional\norder by activated_at, topic`);
}

/** Returns every subscription, including additional receivers. */
export async function selectReceivers(queryable: Queryable): Promise<Subscription[]> {
  return queryable.query<Subscription>(`${SUBSCRIPTION}\norder by topic, is_additional, uid`);
}

/**
 * SQL: whether a delivery `d` waits for an earlier one of its customer that has failed at most $1 times. Deliveries are sent one after the other
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
