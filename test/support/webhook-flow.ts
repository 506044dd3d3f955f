import { systemClock } from "../../src/clock.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import type { Deps } from "../../src/deps.ts";
import { createWakeHub } from "../../src/jobs/wake-hub.ts";
import { createRandom } from "../../src/random.ts";
import { ensureStoreCredential } from "../../src/shop/ensure-store-credential.ts";
import { createSecretBox } from "../../src/shop/secret-box.ts";
import { LOCK_SUBSCRIPTIONS_SHARED, readActiveSubscriptions } from "../../src/webhooks/active-subscriptions.ts";
import { createSubscription } from "../../src/webhooks/create-subscription.ts";
import type { DeliverOptions } from "../../src/webhooks/deliver-due.ts";
import { deleteSubscription } from "../../src/webhooks/delete-subscription.ts";
import { nextDueAt } from "../../src/webhooks/next-due-at.ts";
import { type OutboxEvent, publishEvents } from "../../src/webhooks/publish-event.ts";
import { runDeliveries } from "../../src/webhooks/run-deliveries.ts";
import type { Topic } from "../../src/webhooks/topics/index.ts";
import { createTestDatabase } from "./database.ts";

export const API_KEY = "pk_test";
export const API_SECRET = "the api secret key of the tests, in its UTF-8 bytes: é";
export const AUTHORIZATION = `Basic ${Buffer.from(`${API_KEY}:${API_SECRET}`).toString("base64")}`;

/** A worker that delivers, until it is stopped. */
export interface TestWorker {
  stop(): Promise<void>;
}

/** The service's parts around webhooks, on a database of their own. */
export interface WebhookFlow {
  readonly deps: Deps;
  /** Stands still once it is set. */
  setClock(to: Temporal.Instant): void;
  subscribe(topic: Topic, callbackUrl: string): Promise<{ uid: string; secret: string }>;
  unsubscribe(topic: Topic): Promise<void>;
  /** Publishes in a transaction of its own. */
  publish(events: readonly OutboxEvent[]): Promise<void>;
  startWorker(options?: Partial<DeliverOptions>): TestWorker;
  /** Rows of deliveries that are not acknowledged. */
  deliveries(): Promise<{ uid: string; state: string; attempts: number }[]>;
  /** Lets time pass, to one due time after the other, until `to`. */
  stepTo(to: Temporal.Instant): Promise<void>;
  /** Removes deliveries and subscriptions, for the next test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openWebhookFlow(config: Partial<Config> = {}): Promise<WebhookFlow> {
  const database = await createTestDatabase();
  const hub = createWakeHub();
  let setTo: Temporal.Instant | undefined;
  const workers = new Set<TestWorker>();
  const quiet = () => {};
  const deps = createDeps({
    config: {
      ...readConfig({ POINTKEEPER_API_KEY: API_KEY, POINTKEEPER_API_SECRET: API_SECRET, PUBLIC_URL: "https://points.test" }),
      allowPrivateCallbacks: true,
      ...config,
    },
    db: database.db,
    clock: { now: () => setTo ?? systemClock.now() },
    random: createRandom(),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    wake: hub.wake,
    secretBox: createSecretBox("a key of the tests"),
  });
  await ensureStoreCredential(deps);

  async function untilNothingIsDue(): Promise<Temporal.Instant | null> {
    for (;;) {
      const next = await nextDueAt(deps.db);
      if (next === null || Temporal.Instant.compare(next, deps.clock.now()) > 0) return next;
      hub.wake.deliveries();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  return {
    deps,
    setClock(to) {
      setTo = to;
    },
    async subscribe(topic, callbackUrl) {
      const { subscription, secret } = await deps.db.tx((tx) => createSubscription(tx, deps, { topic, callbackUrl }));
      return { uid: subscription.uid, secret: secret ?? "" };
    },
    unsubscribe: (topic) => deps.db.tx((tx) => deleteSubscription(tx, deps, topic)),
    publish: (events) =>
      deps.db.tx(async (tx) => {
        await tx.query(LOCK_SUBSCRIPTIONS_SHARED);
        await publishEvents(tx, deps, await readActiveSubscriptions(tx), events);
      }),
    startWorker(options = {}) {
      const ending = new AbortController();
      const ended = runDeliveries(deps, {
        exportUrl: (uid) => `https://points.test/exports/${uid}?at=${deps.clock.now().toString()}`,
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
    },
    deliveries: () =>
      deps.db.query<{ uid: string; state: string; attempts: number }>(
        "select uid, state, attempts from delivery order by uid",
      ),
    async stepTo(to) {
      for (;;) {
        const next = await untilNothingIsDue();
        if (next === null || Temporal.Instant.compare(next, to) > 0) break;
        setTo = next;
      }
      setTo = to;
      await untilNothingIsDue();
    },
    async clear() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      await deps.db.execute("delete from subscription");
      await deps.db.execute("delete from delivery");
      await deps.db.execute("delete from attempt");
      await deps.db.execute("delete from outbox_event");
      setTo = undefined;
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      await database.drop();
    },
  };
}

let eventCount = 0;

/** An event of a customer (or none), with a payload that no other has. */
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
