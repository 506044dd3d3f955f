import type { Queryable } from "../../db/pool.ts";
import { STATE_OF_EVENT } from "./delivery-queries.ts";

/** Everything about one delivery except its attempts. */
export interface OneDelivery {
  readonly bucket: number;
  readonly uid: string;
  readonly topic: string;
  readonly state: "waiting" | "failed" | null;
  readonly attempts: number | null;
  readonly dueAt: Temporal.Instant | null;
  readonly writtenAt: Temporal.Instant;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  /** The URL of the topic's present subscription. */
  readonly callbackUrl: string | null;
  readonly payload: string;
}

// The key begins with the bucket, which the URL of the page does not contain: one lookup for each bucket.
const SELECT_DELIVERY = `select e.bucket,
  e.uid,
  e.topic,
  d.state,
  d.attempts,
  d.due_at as "dueAt",
  e.inserted_at as "writtenAt",
  c.storefront_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail",
  s.callback_url as "callbackUrl",
  e.payload
from outbox_event e
${STATE_OF_EVENT}
left join customer c on c.bucket = e.bucket and c.customer_uid = e.customer_uid
left join subscription s on s.topic = e.topic and not s.is_additional
where e.bucket = any(array(select generate_series(0, 255))::smallint[])
  and e.uid = $1`;

export async function selectDelivery(queryable: Queryable, uid: string): Promise<OneDelivery | undefined> {
  const [row] = await queryable.query<OneDelivery>(SELECT_DELIVERY, [uid]);
  return row;
}

export interface AttemptFacts {
  readonly uid: string;
  /** Null: an earlier version wrote it, when a topic had one receiver. */
  readonly subscriptionUid: string | null;
  /** Null: the receiver was removed. */
  readonly callbackUrl: string | null;
  readonly kind: "first" | "resend" | "early";
  readonly startedAt: Temporal.Instant;
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answerHead: string | null;
}

const ATTEMPTS_MAX = 200;

const SELECT_ATTEMPTS = `select a.uid,
  a.subscription_uid as "subscriptionUid",
  s.callback_url as "callbackUrl",
  a.kind,
  a.started_at as "startedAt",
  a.duration_ms as "durationMs",
  a.status,
  a.failure,
  a.answer_head as "answerHead"
from (
  select a.uid, a.subscription_uid, a.kind, a.started_at, a.duration_ms, a.status, a.failure, a.answer_head
  from attempt a
  where a.bucket = $1
    and a.delivery_uid = $2
  union all
  select one.uid, k.subscription_uid, 'first', one.started_at, one.duration_ms, 200, null, one.answer_head
  from acknowledgement k
  cross join lateral unnest(k.uids, k.started_at, k.duration_ms, k.answer_heads) as one (uid, started_at, duration_ms, answer_head)
  where k.event_at = $3
    and one.uid = $2) a
left join subscription s on s.uid = a.subscription_uid
order by a.started_at desc, a.uid desc
limit ${ATTEMPTS_MAX}`;

/** Returns the attempts of an event at all its receivers, newest first. */
export function selectAttempts(
  queryable: Queryable,
  { bucket, uid, writtenAt }: Pick<OneDelivery, "bucket" | "uid" | "writtenAt">,
): Promise<AttemptFacts[]> {
  return queryable.query<AttemptFacts>(SELECT_ATTEMPTS, [bucket, uid, writtenAt]);
}
