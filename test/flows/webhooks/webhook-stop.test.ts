import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Answer, startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, type WebhookFlow } from "../../support/webhook-flow.ts";

const WAITING = 46_000;
/** What each test counts shows that nothing was waited for; this is for a stop that goes on and on, also on a busy machine. */
const STOP_MS_MAX = 30_000;

// A full outbox of 10,000 customers, each payload another.
const FILL_EVENTS = `
insert into outbox_event (bucket, uid, topic, customer_uid, version, payload)
select n % 256, md5('event' || n)::uuid, 'point_balance/update', md5('customer' || n % 10000)::uuid, n, '"' || n || '"'
from generate_series(1, $1::integer) n`;
// As earlier versions wrote them, and as they are written now.
const FILL_ROWS = `
insert into delivery (bucket, uid, subscription_uid, customer_uid, version, due_at)
select e.bucket, e.uid, s.uid, e.customer_uid, e.version, now() - interval '1 hour' + e.version * interval '1 ms'
from outbox_event e
cross join subscription s`;
const FILL_OLD_BATCHES = `
insert into event_batch (subscription_uid, uid, due_at, buckets, uids)
select s.uid, md5('batch' || e.version / 50)::uuid, now() - interval '1 hour', array_agg(e.bucket), array_agg(e.uid)
from outbox_event e
cross join subscription s
group by s.uid, e.version / 50`;
const FILL_BATCHES = `
insert into topic_batch (uid, topic, due_at, buckets, uids)
select md5('batch' || e.version / 50)::uuid, e.topic, now() - interval '1 hour', array_agg(e.bucket), array_agg(e.uid)
from outbox_event e
group by e.topic, e.version / 50`;

let flow: WebhookFlow;
let receiver: TestReceiver | undefined;

beforeAll(async () => {
  flow = await openWebhookFlow();
});
afterEach(async () => {
  await flow.clear();
  await receiver?.close();
  receiver = undefined;
});
afterAll(() => flow.close());

async function fill(callbackUrl: string, deliveries = FILL_BATCHES): Promise<void> {
  await flow.subscribe("point_balance/update", callbackUrl);
  await flow.deps.db.execute(FILL_EVENTS, [WAITING]);
  await flow.deps.db.execute(deliveries);
}

async function stopMs(worker: { stop(): Promise<void> }): Promise<number> {
  const startedMs = performance.now();
  await worker.stop();
  return performance.now() - startedMs;
}

const isLeased = async () =>
  (await flow.deps.db.query("select from subscription where lease_uid is not null")).length > 0;

test.each([
  ["batches", FILL_BATCHES],
  ["batches of an earlier version", FILL_OLD_BATCHES],
  ["rows of an earlier version", FILL_ROWS],
])(
  "a quick receiver, %s: what was answered is written down, the rest waits, and nothing comes twice",
  async (_, rows) => {
    receiver = await startReceiver();
    const { arrivals, url } = receiver;
    await fill(url, rows);
    const worker = flow.startWorker();
    await waitUntil(() => arrivals.length > 2_000);
    expect(await stopMs(worker)).toBeLessThan(STOP_MS_MAX);
    expect(await isLeased()).toBe(false);
    expect(arrivals.length).toBeLessThan(WAITING);
    expect(new Set(arrivals.map(({ body }) => body)).size).toBe(arrivals.length);
    expect(await flow.deliveries()).toHaveLength(WAITING - arrivals.length);
  },
);

test("a receiver that hangs: what it does not answer in time waits untouched, for the next worker", async () => {
  receiver = await startReceiver();
  receiver.answer = (): Answer => "hang";
  const { arrivals, url } = receiver;
  await fill(url);
  const worker = flow.startWorker();
  await waitUntil(() => arrivals.length > 0);
  expect(await stopMs(worker)).toBeLessThan(STOP_MS_MAX);
  expect(await isLeased()).toBe(false);
  const left = await flow.deliveries();
  expect(left).toHaveLength(WAITING);
  expect(left.every(({ state, attempts }) => state === "waiting" && attempts === 0)).toBe(true);
  expect(await flow.attempts()).toHaveLength(0); // broken off before their own time was over
});

test("a receiver whose answer never ends: its status counts", async () => {
  receiver = await startReceiver();
  receiver.answer = (): Answer => (response) => void response.writeHead(200).write("and so on");
  const { arrivals, url } = receiver;
  await fill(url);
  const worker = flow.startWorker();
  await waitUntil(() => arrivals.length >= 32);
  expect(await stopMs(worker)).toBeLessThan(STOP_MS_MAX);
  expect(await flow.deliveries()).toHaveLength(WAITING - arrivals.length);
});

test("a receiver that is gone: nothing is lost", async () => {
  const gone = await startReceiver();
  await gone.close();
  await fill(gone.url);
  const worker = flow.startWorker();
  await waitUntil(async () => (await flow.deps.db.query("select from attempt")).length > 3_000);
  expect(await stopMs(worker)).toBeLessThan(STOP_MS_MAX);
  expect(await isLeased()).toBe(false);
  expect(await flow.deliveries()).toHaveLength(WAITING);
});
