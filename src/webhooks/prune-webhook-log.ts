import type { Deps } from "../deps.ts";
import { type Topic, WEBHOOK_TOPICS } from "./topics/index.ts";

const SLICE_ROWS = 5_000;

// Waiting deliveries of deleted subscriptions.
const PRUNE_ENDED = `
delete from delivery
where (bucket, uid, subscription_uid) in (
  select d.bucket, d.uid, d.subscription_uid
  from delivery d
  where d.state = 'waiting'
    and not exists (
      select
      from subscription s
      where s.uid = d.subscription_uid)
  limit $1)`;

const PRUNE_ENDED_BATCHES = `
delete from event_batch
where (subscription_uid, uid) in (
  select b.subscription_uid, b.uid
  from event_batch b
  where not exists (
      select
      from subscription s
      where s.uid = b.subscription_uid)
  limit $1)`;

// Batches that every receiver of the topic has passed; without a receiver, nothing waits for them.
const PRUNE_PASSED = `
delete from topic_batch
where uid in (
  select passed.uid
  from unnest($2::text[]) as t (topic)
  cross join lateral (
    select min(c.position) as position, count(*) as receivers
    from subscription s
    join receiver_cursor c on c.subscription_uid = s.uid
    where s.topic = t.topic) slowest
  cross join lateral (
    (select b.uid
    from topic_batch b
    where b.topic = t.topic
      and b.position <= coalesce(slowest.position, 9223372036854775807)
    order by b.position
    limit $1)
    union all
    (select b.uid
    from topic_batch b
    where b.topic = t.topic
      and b.position is null
      and slowest.receivers = 0
    limit $1)) passed
  limit $1)`;

const PRUNE_ACKNOWLEDGED = `
delete from acknowledgement
where ctid = any(array(
  select old.id
  from unnest($2::text[]) as t (topic)
  cross join lateral (
    select k.ctid as id
    from acknowledgement k
    where k.topic = t.topic
      and k.recorded_at < now() - $3::integer * interval '1 day'
    order by k.recorded_at
    limit $1) old
  limit $1))`;

const PRUNE_ATTEMPTS = `
delete from attempt
where (bucket, delivery_uid, uid) in (
  select bucket, delivery_uid, uid
  from attempt
  where recorded_at < now() - $2::integer * interval '1 day'
  order by recorded_at
  limit $1)`;

const EVENTS_END = `
select e.inserted_at as "insertedAt"
from outbox_event e
where e.topic = $1
  and e.inserted_at > coalesce($2::timestamptz, '-infinity')
  and e.inserted_at < now() - $3::integer * interval '1 day'
order by e.inserted_at
offset ${SLICE_ROWS - 1}
limit 1`;

// Keeps events that a waiting or failed delivery still needs, and all events newer than the oldest waiting batch. Events of one transaction have one time.
const PRUNE_EVENTS = `
delete from outbox_event e
where e.topic = $1
  and e.inserted_at > coalesce($2::timestamptz, '-infinity')
  and e.inserted_at <= coalesce($4::timestamptz, 'infinity')
  and e.inserted_at < now() - $3::integer * interval '1 day'
  and e.inserted_at < coalesce((select min(inserted_at) from event_batch), 'infinity')
  and e.inserted_at < coalesce((select min(inserted_at) from topic_batch), 'infinity')
  and not exists (
    select
    from delivery d
    where d.bucket = e.bucket
      and d.uid = e.uid)`;

/**
 * Removes what deleted subscriptions left, and attempts, acknowledgements and outbox events older than POINTKEEPER_KEEP_WEBHOOKS_DAYS (by the
 * machine's clock), in slices of 5,000 rows, each in its own transaction (program.md 7). Returns the number of removed rows. Run it a few times a
 * day.
 */
export async function pruneWebhookLog(deps: Pick<Deps, "db" | "config">): Promise<number> {
  let removed = 0;
  const days = deps.config.retention.webhookDays;
  const topics = WEBHOOK_TOPICS.map(({ name }) => name);
  const slices = [
    () => deps.db.execute(PRUNE_ENDED, [SLICE_ROWS]),
    () => deps.db.execute(PRUNE_ENDED_BATCHES, [SLICE_ROWS]),
    () => deps.db.execute(PRUNE_PASSED, [SLICE_ROWS, topics]),
    () => deps.db.execute(PRUNE_ACKNOWLEDGED, [SLICE_ROWS, topics, days]),
    () => deps.db.execute(PRUNE_ATTEMPTS, [SLICE_ROWS, days]),
  ];
  for (const pruneSlice of slices) {
    let count: number;
    do {
      count = await pruneSlice();
      removed += count;
    } while (count === SLICE_ROWS);
  }
  for (const topic of topics) removed += await pruneEvents(deps, topic, days);
  return removed;
}

/** Removes events of a topic, walking through the old ones once: each slice begins behind the last one, so that kept events are not read again. */
async function pruneEvents({ db }: Pick<Deps, "db">, topic: Topic, days: number): Promise<number> {
  let removed = 0;
  for (let after: Temporal.Instant | null = null, isLast = false; !isLast; ) {
    const [end]: { insertedAt: Temporal.Instant }[] = await db.query(EVENTS_END, [topic, after, days]);
    removed += await db.execute(PRUNE_EVENTS, [topic, after, days, end?.insertedAt ?? null]);
    after = end?.insertedAt ?? null;
    isLast = end === undefined;
  }
  return removed;
}
