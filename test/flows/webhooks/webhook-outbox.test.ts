import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { confirmApiSecretKey } from "../../../src/credentials/confirm-api-secret-key.ts";
import { rotateApiSecretKey } from "../../../src/credentials/rotate-api-secret-key.ts";
import type { Db, Tx } from "../../../src/db/pool.ts";
import { Problem } from "../../../src/problems.ts";
import { readBatches } from "../../../src/webhooks/delivery/read-batches.ts";
import { readDue } from "../../../src/webhooks/delivery/read-due.ts";
import { readEarly } from "../../../src/webhooks/delivery/read-early.ts";
import { unbatchEarlierEvents } from "../../../src/webhooks/delivery/stream-queries.ts";
import { replayDelivery } from "../../../src/webhooks/failures/replay-delivery.ts";
import { pruneWebhookLog } from "../../../src/webhooks/prune-webhook-log.ts";
import { publishEvents } from "../../../src/webhooks/publish-events.ts";
import { LOCK_SUBSCRIPTIONS_SHARED, readActiveTopics } from "../../../src/webhooks/read-active-topics.ts";
import { confirmSubscriptionSecret } from "../../../src/webhooks/subscriptions/confirm-subscription-secret.ts";
import { rotateSubscriptionSecret } from "../../../src/webhooks/subscriptions/rotate-subscription-secret.ts";
import { type Arrival, startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { API_SECRET } from "../../support/webhook-deps.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

const TOPIC = "point_balance/update";
const START = Temporal.Instant.from("2027-03-01T09:30:00Z");

let flow: WebhookFlow;
let receiver: TestReceiver;

beforeAll(async () => {
  flow = await openWebhookFlow();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await flow.clear();
  await receiver.close();
});
afterAll(() => flow.close());

const eventCount = async () => (await flow.deps.db.query("select from outbox_event")).length;
const deliveryCount = async () => (await flow.deliveries()).length;

describe("publishing", () => {
  test("is part of the change: what does not commit is never delivered", async () => {
    await flow.subscribe(TOPIC, receiver.url);
    const rolledBack = flow.deps.db.tx(async (tx) => {
      await publishEvents(tx, flow.deps, await readActiveTopics(tx), [testEvent()]);
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    expect([await eventCount(), await deliveryCount()]).toEqual([0, 0]);
  });

  test.for([
    ["before it", [true, false], ["1"]],
    ["before and after it", [true, true], ["3"]],
    ["after it", [false, true], ["3"]],
    ["nowhere else", [false, false], []],
  ] as const)(
    "in a savepoint that is undone tells nothing, with an update of the customer %s",
    async ([, [hasFirst, hasLast], told]) => {
      await flow.subscribe(TOPIC, receiver.url);
      const customerUid = crypto.randomUUID();
      const update = (n: number) => testEvent({ customerUid, version: BigInt(n), payload: String(n) });
      await flow.deps.db.tx(async (tx) => {
        const topics = await readActiveTopics(tx);
        if (hasFirst) await publishEvents(tx, flow.deps, topics, [update(1)]);
        const undone = tx.savepoint(async (inner) => {
          await publishEvents(inner, flow.deps, topics, [update(2), testEvent({ payload: '"of nobody"' })]);
          throw new Error("no");
        });
        await expect(undone).rejects.toThrow("no");
        if (hasLast) await publishEvents(tx, flow.deps, topics, [update(3)]);
      });
      const worker = flow.startWorker();
      try {
        await waitUntil(async () => (await deliveryCount()) === 0);
        expect(receiver.arrivals.map(({ body }) => body)).toEqual(told);
      } finally {
        await worker.stop();
      }
    },
  );

  test("tells a topic's subscriber only", async () => {
    await flow.subscribe(TOPIC, receiver.url);
    await flow.publish([testEvent(), testEvent({ topic: "point_allotment/cascade" }), testEvent()]);
    expect(await flow.deps.db.query("select topic from outbox_event")).toEqual([{ topic: TOPIC }, { topic: TOPIC }]);
    expect(await deliveryCount()).toBe(2);
  });

  test("while a change is on its way no subscription comes or goes", async () => {
    const steps: string[] = [];
    const mayCommit = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const change = flow.deps.db.tx(async (tx) => {
      await tx.query(LOCK_SUBSCRIPTIONS_SHARED);
      await readActiveTopics(tx);
      locked.resolve();
      await mayCommit.promise;
      steps.push("change");
    });
    await locked.promise;
    const subscribed = flow.subscribe(TOPIC, receiver.url).then(() => steps.push("subscription"));
    await waitUntil(async () => {
      const waiting = await flow.deps.db.query("select from pg_locks where locktype = 'advisory' and not granted");
      return waiting.length > 0;
    });
    mayCommit.resolve();
    await Promise.all([change, subscribed]);
    expect(steps).toEqual(["change", "subscription"]);
  });
});

describe("ending a subscription", () => {
  test("ends its waiting deliveries, also for who subscribes again", async () => {
    receiver.answer = () => 500;
    flow.setClock(START);
    await flow.subscribe(TOPIC, receiver.url);
    flow.startWorker();
    await flow.publish([testEvent(), testEvent()]);
    await flow.stepTo(START);
    expect(receiver.arrivals).toHaveLength(2);
    await flow.unsubscribe(TOPIC);
    await flow.subscribe(TOPIC, receiver.url);
    receiver.answer = () => 200;
    await flow.publish([testEvent({ payload: '"new"' })]);
    await flow.stepTo(START.add({ hours: 24 * 20 }));
    await waitUntil(() => receiver.arrivals.length > 2);
    expect(receiver.arrivals.slice(2).map(({ body }) => body)).toEqual(['"new"']);
    expect(await pruneWebhookLog(flow.deps)).toBe(2 + 2); // two deliveries, and the batches that every receiver is past
    expect(await flow.deliveries()).toEqual([]);
  });
});

describe("a failed delivery", () => {
  test("is kept and can be sent again by hand, with its id", async () => {
    receiver.answer = () => 500;
    flow.setClock(START);
    await flow.subscribe(TOPIC, receiver.url);
    flow.startWorker();
    await flow.publish([testEvent()]);
    await flow.stepTo(START.add({ hours: 24 * 20 }));
    const [failed] = await flow.deliveries();
    if (failed === undefined) throw new Error("no delivery");
    expect(failed.state).toBe("failed");
    expect(receiver.arrivals).toHaveLength(21);
    receiver.answer = () => 200;
    const replay = () => flow.deps.db.tx((tx) => replayDelivery(tx, flow.deps, failed.uid));
    await replay();
    await waitUntil(async () => (await flow.deliveries()).length === 0);
    expect(receiver.arrivals).toHaveLength(22);
    expect(receiver.arrivals[21]?.headers["webhook-id"]).toBe(failed.uid);
    await expect(replay()).rejects.toThrow(Problem);
  });
});

describe("rotation", () => {
  const signedWith = (arrival: Arrival, secret: string) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const { "webhook-id": id, "webhook-timestamp": timestamp } = arrival.headers;
    const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${arrival.body}`).digest("base64");
    return String(arrival.headers["webhook-signature"]).split(" ").includes(`v1,${signature}`);
  };
  const tokenBy = (arrival: Arrival, key: string) => {
    const [head, claims, signature] = (arrival.headers.authorization ?? "").replace("Bearer ", "").split(".");
    return createHmac("sha256", key).update(`${head}.${claims}`).digest("base64url") === signature;
  };
  const nextArrival = async (): Promise<Arrival> => {
    const before = receiver.arrivals.length;
    await flow.publish([testEvent()]);
    await waitUntil(() => receiver.arrivals.length > before);
    const arrival = receiver.arrivals[before];
    if (arrival === undefined) throw new Error("nothing came");
    return arrival;
  };

  test("of a subscription's secret: both sign until the new one is confirmed", async () => {
    const { secret: old } = await flow.subscribe(TOPIC, receiver.url);
    const worker = flow.startWorker();
    const next = await rotateSubscriptionSecret(flow.deps, TOPIC);
    const between = await nextArrival();
    expect([signedWith(between, old), signedWith(between, next)]).toEqual([true, true]);
    await worker.stop();
    await confirmSubscriptionSecret(flow.deps, TOPIC);
    flow.startWorker();
    const after = await nextArrival();
    expect([signedWith(after, old), signedWith(after, next)]).toEqual([false, true]);
  });

  test("of the API secret key: the old one signs tokens until the switch is confirmed", async () => {
    await flow.subscribe(TOPIC, receiver.url);
    const worker = flow.startWorker();
    const config = { ...flow.deps.config, apiSecret: undefined }; // a key of the settings is not rotated
    const { secret: next } = await rotateApiSecretKey({ ...flow.deps, config });
    expect(tokenBy(await nextArrival(), API_SECRET)).toBe(true);
    await worker.stop();
    await confirmApiSecretKey(flow.deps);
    flow.startWorker();
    expect(tokenBy(await nextArrival(), next)).toBe(true);
  });
});

test("attempts and acknowledged events are kept for 30 days, events of waiting deliveries as long as these", async () => {
  await flow.subscribe(TOPIC, receiver.url);
  flow.startWorker();
  await flow.publish([testEvent(), testEvent()]);
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(await pruneWebhookLog(flow.deps)).toBe(1); // the batch
  receiver.answer = () => 500;
  await flow.publish([testEvent()]);
  await waitUntil(async () => (await flow.attempts()).length === 3);
  await flow.deps.db.execute("update attempt set recorded_at = recorded_at - interval '31 days'");
  const acknowledgements = await flow.deps.db.execute(
    "update acknowledgement set recorded_at = recorded_at - interval '31 days'",
  );
  await flow.deps.db.execute("update outbox_event set inserted_at = inserted_at - interval '31 days'");
  expect(await pruneWebhookLog(flow.deps)).toBe(1 + acknowledgements + 1 + 2);
  expect([(await flow.attempts()).length, await eventCount(), await deliveryCount()]).toEqual([0, 1, 1]);
});

test("the setting says for how many days", async () => {
  await flow.subscribe(TOPIC, receiver.url);
  receiver.answer = () => 500;
  flow.startWorker();
  await flow.publish([testEvent()]);
  await waitUntil(async () => (await flow.attempts()).length === 1);
  await flow.deps.db.execute("update attempt set recorded_at = recorded_at - interval '8 days'");
  const pruneFor = (POINTKEEPER_KEEP_WEBHOOKS_DAYS: string) => {
    const { retention } = readConfig({ POINTKEEPER_KEEP_WEBHOOKS_DAYS });
    return pruneWebhookLog({ ...flow.deps, config: { ...flow.deps.config, retention } });
  };
  await pruneFor("9");
  const kept = (await flow.attempts()).length;
  await pruneFor("7");
  expect([kept, (await flow.attempts()).length]).toEqual([1, 0]);
});

const NO_UID = "00000000-0000-0000-0000-000000000000";
const FILL = `with event as (
  insert into outbox_event (bucket, uid, topic, version, payload)
  select n % 256, gen_random_uuid(), $2, n, '{}'
  from generate_series(1, 2000) n
  returning bucket, uid, version),
waiting as (
  insert into delivery (bucket, uid, subscription_uid, version, attempts, due_at)
  select e.bucket, e.uid, $1, e.version, 1, now() + (e.version % 2 - 0.5) * interval '1 day'
  from event e),
old_batch as (
  insert into event_batch (subscription_uid, uid, due_at, buckets, uids)
  select $1, gen_random_uuid(), now(), array_agg(e.bucket), array_agg(e.uid)
  from event e
  where e.version <= 1000
  group by (e.version - 1) / 10)
insert into topic_batch (uid, topic, due_at, position, buckets, uids)
select gen_random_uuid(), $2, now(), 1 + e.version / 50, array_agg(e.bucket), array_agg(e.uid)
from event e
group by e.version / 50`;

test("with statistics from a moment without events, what waits is found by its key", async () => {
  const { deps, database } = flow;
  const { uid } = await flow.subscribe(TOPIC, receiver.url);
  await deps.db.execute(FILL, [uid, TOPIC]);
  for (const table of ["outbox_event", "delivery", "event_batch", "topic_batch"])
    await deps.db.execute(`delete from ${table}`);
  await database.owner.execute("analyze outbox_event");
  await deps.db.execute(FILL, [uid, TOPIC]);
  await database.owner.execute("analyze event_batch");
  const of = { topic: TOPIC, subscriptionUid: uid, knownUids: [], isDead: false } as const;
  const { clock } = deps;
  const scanned = [
    await eventsScanned("tx", (db) => readDue({ db, clock }, { ...of, busyCustomers: [], rowsMax: 100 })),
    await eventsScanned("tx", (db) => readEarly({ db, clock }, { ...of, revivals: 1, afterUid: NO_UID, rowsMax: 5 })),
    await eventsScanned("tx", (db) =>
      readBatches({ db }, { ...of, afterPosition: 0n, eventsMax: 100, batchCache: new Map() }),
    ),
    await eventsScanned("txByKeys", (db) => unbatchEarlierEvents({ ...db, txByKeys: (work) => work(db) }, uid)),
  ];
  expect(scanned).toEqual([100, 5, 149, 1_000]);
});

/** Returns how many rows of events the statements of some work have looked at. */
async function eventsScanned(by: "tx" | "txByKeys", work: (db: Tx & Db) => Promise<unknown>): Promise<number> {
  return flow.database.owner[by](async (tx) => {
    const read = () =>
      tx.query<{ count: bigint }>(
        "select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'outbox_event'",
      );
    const [before] = await read();
    await work({ ...flow.database.owner, ...tx });
    const [after] = await read();
    return Number((after?.count ?? 0n) - (before?.count ?? 0n));
  });
}
