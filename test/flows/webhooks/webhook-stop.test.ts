import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { noDeadReceivers } from "../../../src/webhooks/delivery/dead-receivers.ts";
import { deliverDue } from "../../../src/webhooks/delivery/deliver-due.ts";
import { leaseReceivers } from "../../../src/webhooks/delivery/lease-queries.ts";
import { type Answer, startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

const WAITING = 12_000;
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
  await waitUntil(async () => (await flow.deps.db.query("select from attempt")).length > 500);
  expect(await stopMs(worker)).toBeLessThan(STOP_MS_MAX);
  expect(await isLeased()).toBe(false);
  expect(await flow.deliveries()).toHaveLength(WAITING);
});

const ANN = "019ca8e7-0000-7000-8000-00000000000a";
/** 2,600 events of one customer, who waits for an earlier one that failed: all of them are put off. */
const FILL_HELD = [
  `insert into outbox_event (bucket, uid, topic, customer_uid, version, payload)
   select 7, md5('held' || n)::uuid, 'point_balance/update', '${ANN}', n, '"held"' from generate_series(0, 2600) n`,
  `insert into delivery (bucket, uid, subscription_uid, customer_uid, version, attempts, due_at)
   select 7, md5('held0')::uuid, s.uid, '${ANN}', 0, 1, now() + interval '1 hour' from subscription s`,
  `insert into topic_batch (uid, topic, due_at, buckets, uids)
   select md5('batch' || e.version / 50)::uuid, e.topic, now(), array_agg(e.bucket), array_agg(e.uid)
   from outbox_event e where e.version > 0 group by e.topic, e.version / 50`,
];

/** Refuses rows of a table until `isAccepted`, which sees the rows of a statement as `added`. */
async function refuse(table: string, isAccepted: string): Promise<() => Promise<void>> {
  const { owner } = flow.database;
  await owner.execute("create sequence refusal");
  await owner.execute(`create function refuse_rows() returns trigger language plpgsql security definer as $$
    begin
      if not (${isAccepted}) then raise exception 'refused'; end if;
      return null;
    end
    $$`);
  await owner.execute(
    `create trigger refuse_rows after insert on ${table} referencing new table as added for each statement execute function refuse_rows()`,
  );
  return async () => {
    await owner.execute("drop function refuse_rows cascade");
    await owner.execute("drop sequence refusal");
  };
}

/** Serves the receiver by a worker whose lease is over whenever a write fails, and held again before the worker looks. */
async function serveWithLapses(subscriptionUid: string): Promise<() => Promise<void>> {
  let isHeld = true;
  const warn = () => {
    isHeld = false;
    queueMicrotask(() => {
      isHeld = true;
    });
  };
  const deps = { ...flow.deps, log: { ...flow.deps.log, warn } };
  const leaseUid = deps.random.uid();
  await leaseReceivers(deps.db, leaseUid);
  const [limit, givenUp] = [<T>(work: () => Promise<T>) => work(), new AbortController().signal];
  const own = { deadReceivers: noDeadReceivers(), limitReads: limit, limitWrites: limit, givenUp };
  const ending = new AbortController();
  const options = { exportUrl: () => "", signal: ending.signal };
  const ended = deliverDue(deps, { ...own, subscriptionUid, leaseUid, isHeld: () => isHeld }, options);
  return () => {
    ending.abort();
    return ended;
  };
}

test("a lease that is over for a moment while memory is full: the outcomes are written all the same", async () => {
  const count = 120; // as many as are kept in memory of a dead receiver
  receiver = await startReceiver();
  receiver.answer = () => 500;
  const { uid } = await flow.subscribe("point_balance/update", receiver.url);
  flow.setClock(Temporal.Instant.from("2027-03-01T09:30:00Z"));
  await flow.publish(Array.from({ length: count }, () => testEvent()));
  await flow.deps.db.execute("update subscription set failures = 5");
  const accept = await refuse(
    "attempt",
    `case when (select count(*) from added) = ${count} then nextval('refusal') > 1 else false end`,
  );
  const stop = await serveWithLapses(uid);
  await waitUntil(async () => (await flow.attempts()).length > 0);
  await stop();
  await accept();
  expect(await flow.attempts()).toHaveLength(count);
  expect(receiver.arrivals).toHaveLength(count);
});

test("a lease that is over for a moment while very many are put off: all of them are written all the same", async () => {
  receiver = await startReceiver();
  const { uid } = await flow.subscribe("point_balance/update", receiver.url);
  for (const statement of FILL_HELD) await flow.deps.db.execute(statement);
  const accept = await refuse("delivery", "nextval('refusal') > 12"); // more often than there are reads
  const stop = await serveWithLapses(uid);
  const rows = () => flow.deps.db.query("select from delivery");
  await waitUntil(async () => (await rows()).length === 2_601);
  await stop();
  await accept();
  expect(receiver.arrivals).toEqual([]);
});
