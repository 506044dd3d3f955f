import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Arrival, startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

const START = Temporal.Instant.from("2027-03-01T09:30:00Z");
const [ANN, BOB] = ["019ca8e7-0000-7000-8000-00000000000a", "019ca8e7-0000-7000-8000-00000000000b"];

let flow: WebhookFlow;
let receiver: TestReceiver;

beforeAll(async () => {
  flow = await openWebhookFlow();
});
beforeEach(async () => {
  receiver = await startReceiver();
  await flow.subscribe("point_balance/update", receiver.url);
});
afterEach(async () => {
  await flow.clear();
  await receiver.close();
});
afterAll(() => flow.close());

function eventOf(customerUid: string, version: number) {
  return testEvent({ customerUid, version: BigInt(version), payload: JSON.stringify({ customerUid, version }) });
}

function told(arrival: Arrival): { customerUid: string; version: number } {
  return JSON.parse(arrival.body);
}

function versionsOf(customerUid: string): number[] {
  return receiver.arrivals.map(told).flatMap((event) => (event.customerUid === customerUid ? [event.version] : []));
}

test("a customer's deliveries go one after the other by version, those of others beside them", async () => {
  const customers = Array.from(
    { length: 12 },
    (_, n) => `019ca8e7-0000-7000-8000-0000000001${String(n).padStart(2, "0")}`,
  );
  const open = new Set<string>();
  const overlaps: string[] = [];
  receiver.answer = async (arrival) => {
    const { customerUid, version } = told(arrival);
    if (open.has(customerUid)) overlaps.push(customerUid);
    open.add(customerUid);
    for (let turn = 0; turn < (version * 7) % 5; turn++) await new Promise(setImmediate);
    open.delete(customerUid);
    return 200;
  };
  flow.startWorker();
  for (let version = 1; version <= 60; version += 3) {
    await flow.publish(customers.flatMap((uid) => [0, 1, 2].map((more) => eventOf(uid, version + more))));
  }
  await waitUntil(() => receiver.arrivals.length >= customers.length * 60);
  expect(receiver.arrivals).toHaveLength(customers.length * 60);
  for (const uid of customers) expect(versionsOf(uid)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  expect(overlaps).toEqual([]);
  expect(receiver.openMax).toBeGreaterThan(1);
  expect(new Set(receiver.arrivals.map(({ port }) => port)).size).toBeLessThanOrEqual(32);
});

test("one that failed holds its customer's later ones back, and no other's", async () => {
  receiver.answer = (arrival) => (told(arrival).customerUid === ANN && versionsOf(ANN).length === 1 ? 503 : 200);
  flow.setClock(START);
  flow.startWorker();
  await flow.publish([eventOf(ANN, 1), eventOf(ANN, 2), eventOf(BOB, 1)]);
  await flow.publish([eventOf(ANN, 3), eventOf(BOB, 2)]);
  await flow.stepTo(START);
  expect(versionsOf(ANN)).toEqual([1]);
  expect(versionsOf(BOB)).toEqual([1, 2]);
  await flow.publish([eventOf(ANN, 4)]);
  await flow.stepTo(START.add({ seconds: 2 }));
  expect(versionsOf(ANN)).toEqual([1, 1, 2, 3, 4]);
});

test("one that failed holds later ones back while its failure is not written down yet", async () => {
  const isFirstWritten = async () => (await flow.deliveries()).length === 1;
  receiver.answer = async (arrival) => {
    if (told(arrival).version !== 2 || versionsOf(ANN).length > 2) return 200;
    await waitUntil(isFirstWritten);
    return 503;
  };
  flow.setClock(START);
  flow.startWorker();
  await flow.database.owner.tx(async (tx) => {
    await tx.execute("lock table attempt in share mode"); // the failure waits for it, and nothing else does
    await flow.publish([eventOf(ANN, 1), eventOf(ANN, 2)]);
    const waits = `select from pg_locks
      where relation = 'attempt'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    await waitUntil(async () => (await flow.database.owner.query(waits)).length > 0);
    await flow.publish([eventOf(ANN, 3), eventOf(BOB, 1)]);
    await waitUntil(() => versionsOf(BOB).length > 0);
  });
  await flow.stepTo(START.add({ seconds: 2 }));
  expect(versionsOf(ANN)).toEqual([1, 2, 2, 3]);
});

test("one that fails again and again holds them back for its first five attempts only", async () => {
  receiver.answer = (arrival) => (told(arrival).customerUid === ANN && told(arrival).version === 1 ? 500 : 200);
  flow.setClock(START);
  flow.startWorker();
  await flow.publish([eventOf(ANN, 1), eventOf(ANN, 2)]);
  for (let second = 0; second <= 60; second++) {
    await flow.publish([eventOf(BOB, second + 1)]); // the receiver is healthy all the while
    await flow.stepTo(START.add({ seconds: second }));
  }
  expect(versionsOf(ANN).slice(0, 7)).toEqual([1, 1, 1, 1, 1, 2, 1]);
});

test("a customer with very many deliveries delays no other", async () => {
  const bobCame = Promise.withResolvers<void>();
  receiver.answer = async (arrival) => {
    if (told(arrival).customerUid === BOB) bobCame.resolve();
    else await bobCame.promise;
    return 200;
  };
  await flow.publish(Array.from({ length: 1_500 }, (_, n) => eventOf(ANN, n + 1)));
  await flow.publish([eventOf(BOB, 1)]);
  flow.startWorker();
  await waitUntil(() => receiver.arrivals.length === 1_501);
  expect(receiver.arrivals.slice(0, 2).map((arrival) => told(arrival).customerUid)).toEqual([ANN, BOB]);
  expect(versionsOf(ANN)).toEqual(Array.from({ length: 1_500 }, (_, n) => n + 1));
});

test("one event without an answer holds up no more than a bounded window, and nothing is lost behind it", async () => {
  const count = 2_300; // more batches of one event each than a cursor may have begun
  await flow.deps.db.execute(
    `with told as (
       insert into outbox_event (bucket, uid, topic, payload)
       select 7, md5('event' || n)::uuid, 'point_balance/update', n::text
       from generate_series(1, $1) n
       returning *)
     insert into topic_batch (uid, topic, position, due_at, buckets, uids)
     select uid, topic, (select position from receiver_cursor) + payload::bigint, now(), array[bucket], array[uid]
     from told`,
    [count],
  );
  await flow.deps.db.execute("update topic_stream set last_position = last_position + $1", [count]);
  let isFirst = true;
  receiver.answer = ({ body }) => {
    const answer = body === "1" && isFirst ? "hang" : 200;
    if (body === "1") isFirst = false;
    return answer;
  };
  flow.startWorker();
  let begunMax = 0;
  await waitUntil(async () => {
    const text = "select cardinality(settled) as begun from receiver_cursor";
    const [row] = await flow.deps.db.query<{ begun: number }>(text);
    begunMax = Math.max(begunMax, row?.begun ?? 0);
    return (await flow.deliveries()).length === 0;
  });
  expect(begunMax).toBeGreaterThan(500); // more than one read brings; a busy machine sends no more of them in 5 s
  expect(begunMax).toBeLessThanOrEqual(2_048 + 500); // and what the last read brought
  expect(receiver.arrivals.filter(({ body }) => body === "1")).toHaveLength(2);
  expect(new Set(receiver.arrivals.map(({ body }) => body)).size).toBe(count);
  expect(receiver.arrivals).toHaveLength(count + 1);
});
