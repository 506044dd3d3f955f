import type { Config } from "../../src/config.ts";
import { ensureStoreCredential } from "../../src/credentials/ensure-store-credential.ts";
import type { Deps } from "../../src/deps.ts";
import { createWakeHub, type WakeHub } from "../../src/jobs/wake-hub.ts";
import { nextDueAt } from "../../src/webhooks/delivery/next-due-at.ts";
import type { DeliverOptions } from "../../src/webhooks/delivery/receiver-worker.ts";
import { runDeliveries } from "../../src/webhooks/delivery/run-deliveries.ts";
import { type OutboxEvent, publishEvents } from "../../src/webhooks/publish-events.ts";
import { LOCK_SUBSCRIPTIONS_SHARED, readActiveTopics } from "../../src/webhooks/read-active-topics.ts";
import { addReceiver } from "../../src/webhooks/subscriptions/add-receiver.ts";
import { createSubscription } from "../../src/webhooks/subscriptions/create-subscription.ts";
import { deleteSubscription } from "../../src/webhooks/subscriptions/delete-subscription.ts";
import type { Topic } from "../../src/webhooks/topics/index.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { waitUntil } from "./wait-until.ts";
import { exportUrlOf, webhookDeps } from "./webhook-deps.ts";

/** A worker that delivers until it is stopped. */
export interface TestWorker {
  stop(): Promise<void>;
}

/** An attempt, including one that was recorded together with others. */
export interface LoggedAttempt {
  readonly delivery: string;
  readonly kind: string;
  readonly status: number | null;
  readonly failure: string | null;
  readonly durationMs: number;
  readonly answerHead: string | null;
}

/** SQL for deliveries that are not acknowledged, with separate rows or in batches. */
export const UNACKNOWLEDGED = `select uid, subscription_uid, state, attempts from delivery
union all
select one.uid, b.subscription_uid, 'waiting', 0
from event_batch b
cross join lateral unnest(b.uids) with ordinality as one (uid, n)
where (b.settled >> (one.n - 1)::integer) & 1 = 0
union all
select one.uid, s.uid, 'waiting', 0
from subscription s
join receiver_cursor c on c.subscription_uid = s.uid
join topic_batch b on b.topic = s.topic and (b.position is null or b.position > c.position)
cross join lateral unnest(b.uids) with ordinality as one (uid, n)
where ((b.settled | coalesce(c.settled[(b.position - c.position)::integer], 0)) >> (one.n - 1)::integer) & 1 = 0`;

/** SQL for the log of attempts. */
const ATTEMPTS = `select uid, delivery_uid as delivery, kind, status::integer as status, failure, duration_ms as "durationMs",
  answer_head as "answerHead", recorded_at as "recordedAt"
from attempt
union all
select one.uid, one.uid, 'first', 200, null, one.duration_ms, one.answer_head, k.recorded_at
from acknowledgement k
cross join lateral unnest(k.uids, k.duration_ms, k.answer_heads) as one (uid, duration_ms, answer_head)`;

/** The service's webhook parts, on a separate database. */
export interface WebhookFlow {
  readonly deps: Deps;
  readonly database: TestDatabase;
  /** It stands still once it is set. */
  setClock(to: Temporal.Instant): void;
  subscribe(topic: Topic, callbackUrl: string): Promise<{ uid: string; secret: string }>;
  /** Adds a receiver beside the topic's subscription. */
  addReceiver(topic: Topic, callbackUrl: string): Promise<{ uid: string; secret: string }>;
  unsubscribe(topic: Topic): Promise<void>;
  /** Publishes in a separate transaction. */
  publish(events: readonly OutboxEvent[]): Promise<void>;
  startWorker(options?: Partial<DeliverOptions>, config?: Partial<Config>): TestWorker;
  /** The deliveries that are not acknowledged. */
  deliveries(): Promise<{ uid: string; state: string; attempts: number }[]>;
  /** The log of attempts, oldest first. */
  attempts(): Promise<LoggedAttempt[]>;
  /** Moves the clock from one due time to the next, until `to`. */
  stepTo(to: Temporal.Instant): Promise<void>;
  /** Removes deliveries and subscriptions for the next test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openWebhookFlow(config: Partial<Config> = {}): Promise<WebhookFlow> {
  const database = await createTestDatabase();
  const hub = createWakeHub();
  const workers = new Set<TestWorker>();
  let setTo: Temporal.Instant | undefined;
  const setClock = (to: Temporal.Instant | undefined) => {
    setTo = to;
  };
  const deps = webhookDeps(database.db, { hub, config, setTo: () => setTo });
  await ensureStoreCredential(deps);
  const stopWorkers = () => Promise.all([...workers].map((worker) => worker.stop()));
  return {
    deps,
    database,
    setClock,
    async subscribe(topic, callbackUrl) {
      const { subscription, secret } = await deps.db.tx((tx) => createSubscription(tx, deps, { topic, callbackUrl }));
      return { uid: subscription.uid, secret: secret ?? "" };
    },
    addReceiver: (topic, callbackUrl) => deps.db.tx((tx) => addReceiver(tx, deps, { topic, callbackUrl })),
    unsubscribe: (topic) => deps.db.tx((tx) => deleteSubscription(tx, deps, topic)),
    publish: (events) => publish(deps, events),
    startWorker: (options = {}, own = {}) =>
      startTestWorker({ ...deps, config: { ...deps.config, ...own } }, hub, workers, options),
    deliveries: () => deps.db.query(`select uid, state, attempts from (${UNACKNOWLEDGED}) d order by uid`),
    attempts: () => deps.db.query(`select * from (${ATTEMPTS}) a order by "recordedAt", uid`),
    stepTo: (to) => stepTo(deps, setClock, to),
    async clear() {
      await stopWorkers();
      for (const table of [
        "subscription",
        "event_batch",
        "topic_batch",
        "delivery",
        "attempt",
        "acknowledgement",
        "outbox_event",
      ]) {
        await deps.db.execute(`delete from ${table}`);
      }
      setClock(undefined);
    },
    async close() {
      await stopWorkers();
      await database.drop();
    },
  };
}

async function publish(deps: Deps, events: readonly OutboxEvent[]): Promise<void> {
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_SUBSCRIPTIONS_SHARED);
    await publishEvents(tx, deps, await readActiveTopics(tx), events);
  });
}

function startTestWorker(
  deps: Deps,
  hub: WakeHub,
  workers: Set<TestWorker>,
  options: Partial<DeliverOptions>,
): TestWorker {
  const ending = new AbortController();
  const ended = runDeliveries(deps, {
    exportUrl: (uid) => exportUrlOf(uid, deps.clock.now()),
    signal: ending.signal,
    onWake: (listener) => hub.on("deliveries", listener),
    ...options,
  });
  const worker: TestWorker = {
    async stop() {
      ending.abort();
      workers.delete(worker);
      await ended;
    },
  };
  workers.add(worker);
  return worker;
}

async function stepTo(deps: Deps, setClock: (to: Temporal.Instant) => void, to: Temporal.Instant): Promise<void> {
  for (;;) {
    const next = await untilNothingIsDue(deps);
    if (next === null || Temporal.Instant.compare(next, to) > 0) break;
    setClock(next);
  }
  setClock(to);
  await untilNothingIsDue(deps);
}

/** Returns the next due time, which is in the future. */
async function untilNothingIsDue(deps: Deps): Promise<Temporal.Instant | null> {
  let next: Temporal.Instant | null = null;
  await waitUntil(async () => {
    next = await nextDueAt(deps.db);
    if (next === null || Temporal.Instant.compare(next, deps.clock.now()) > 0) return true;
    deps.wake.deliveries();
    return false;
  });
  return next;
}

let eventCount = 0;

/** An event of a customer (or none), with a unique payload. */
export function testEvent(event: Partial<OutboxEvent> = {}): OutboxEvent {
  eventCount += 1;
  return {
    topic: "point_balance/update",
    bucket: 7,
    customerUid: null,
    version: null,
    payload: JSON.stringify({ n: eventCount }),
    ...event,
  };
}
