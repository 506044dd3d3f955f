import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { publishEvents } from "../../../src/webhooks/publish-events.ts";
import { LOCK_SUBSCRIPTIONS_SHARED, readActiveTopics } from "../../../src/webhooks/read-active-topics.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

const DELIVERER = fileURLToPath(new URL("../../support/deliver-until-killed.ts", import.meta.url));

/** Leases that were nearly over or over when they were renewed or taken: a worker of a busy machine may be held up for as long as that. */
const LATE_LEASES = `
create table late_lease (lease_uid uuid);
create function note_late_lease() returns trigger language plpgsql security definer as $$
begin
  insert into late_lease values (new.lease_uid);
  return null;
end
$$;
create trigger note_late_lease after update of lease_until on subscription
for each row when (old.lease_until < clock_timestamp() + interval '2 seconds') execute function note_late_lease()`;

let flow: WebhookFlow;
let receiver: TestReceiver;

beforeAll(async () => {
  flow = await openWebhookFlow();
  for (const statement of LATE_LEASES.split(/;\n(?=create)/)) await flow.database.owner.execute(statement);
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

test("what a killed worker had sent and not written down is sent again by the next one", async () => {
  await flow.publish([testEvent({ payload: '"first"' })]);
  receiver.answer = () => {
    child.kill("SIGKILL"); // after it has sent, before it has its answer
    return 200;
  };
  const child = spawn(process.execPath, [DELIVERER, JSON.stringify(flow.database.connection)], { stdio: "ignore" });
  const killed = new Promise<string | null>((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  expect(await killed).toBe("SIGKILL");
  expect(receiver.arrivals).toHaveLength(1);
  expect(await flow.deliveries()).toMatchObject([{ state: "waiting", attempts: 0 }]);
  receiver.answer = () => 200;
  flow.startWorker();
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(receiver.arrivals).toHaveLength(2);
  expect(receiver.arrivals[1]?.headers["webhook-id"]).toBe(receiver.arrivals[0]?.headers["webhook-id"]);
});

test("of many workers one serves a receiver, and nothing comes twice", async () => {
  await flow.database.owner.execute("delete from late_lease");
  const workers = Array.from({ length: 4 }, () => flow.startWorker());
  for (let n = 0; n < 20; n++) await flow.publish(Array.from({ length: 25 }, () => testEvent()));
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  const late = await flow.database.owner.query("select from late_lease");
  if (late.length === 0) expect(receiver.arrivals).toHaveLength(500);
  expect(new Set(receiver.arrivals.map(({ body }) => body)).size).toBe(500);
  await Promise.all(workers.map((worker) => worker.stop()));
});

test("a lease of a clock that was ahead holds up nothing", async () => {
  await flow.deps.db.execute(
    "update subscription set lease_uid = $1, lease_until = clock_timestamp() + interval '1 year'",
    [flow.deps.random.uid()],
  );
  await flow.publish([testEvent()]);
  flow.startWorker();
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(receiver.arrivals).toHaveLength(1);
});

test("times of a clock that was ahead hold up no delivery, and the longest wait before a resend is kept", async () => {
  const customerUid = "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716";
  const [first, resend, longest, holding] = ['"first"', '"resend"', '"longest"', '"holding"'];
  for (const payload of [first, resend, longest, holding]) await flow.publish([testEvent({ payload })]);
  await flow.deps.db.execute("delete from topic_batch");
  await flow.deps.db.execute(
    `insert into delivery (subscription_uid, bucket, uid, customer_uid, version, attempts, due_at)
     select s.uid, e.bucket, e.uid, own.customer_uid, 1, own.attempts, now() + own.wait
     from (values ($1, 0, interval '1 year', null::uuid), ($2, 3, '1 year', null), ($3, 20, '6.37 days', null), ($4, 4, '1 hour', $5))
       as own (payload, attempts, wait, customer_uid)
     join outbox_event e using (payload)
     cross join subscription s`,
    [first, resend, longest, holding, customerUid],
  );
  await flow.publish([testEvent({ customerUid, version: 2n })]);
  await flow.deps.db.execute("update topic_batch set due_at = now() + interval '1 year'");
  flow.startWorker();
  await waitUntil(() => receiver.arrivals.length === 2);
  expect(receiver.arrivals.map(({ body }) => body).sort()).toEqual([first, resend]);
  const waiting = () =>
    flow.deps.db.query<{ attempts: number; version: number; isSoon: boolean }>(
      `select attempts::integer as attempts, version::integer as version, due_at < now() + interval '1 day' as "isSoon"
       from delivery order by attempts`,
    );
  const isPutOff = async () => (await waiting()).some(({ version }) => version === 2);
  await waitUntil(async () => (await isPutOff()) && (await waiting()).length === 3);
  expect(await waiting()).toEqual([
    { attempts: 0, version: 2, isSoon: true },
    { attempts: 4, version: 1, isSoon: true },
    { attempts: 20, version: 1, isSoon: false },
  ]);
});

test("a worker that stops finishes what is out, and the next goes on at once", async () => {
  const came = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  receiver.answer = async () => {
    came.resolve();
    await mayAnswer.promise;
    return 200;
  };
  await flow.publish([testEvent()]);
  const first = flow.startWorker();
  await came.promise;
  const stopped = first.stop();
  mayAnswer.resolve();
  await stopped;
  expect(await flow.deliveries()).toEqual([]);
  const leases = await flow.deps.db.query("select lease_uid, lease_until from subscription");
  expect(leases).toEqual([{ lease_uid: null, lease_until: null }]); // the next one has nothing to wait for
  flow.startWorker();
  await flow.publish([testEvent()]);
  await waitUntil(() => receiver.arrivals.length === 2);
});

/** Publishes events and returns once a worker has sent one, whose answer waits until `answer` is called. */
async function sendOne(): Promise<{ worker: { stop(): Promise<void> }; answer: () => void }> {
  const came = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  receiver.answer = async () => {
    came.resolve();
    await mayAnswer.promise;
    return 200;
  };
  await flow.publish([testEvent({ payload: '"one"' })]);
  const worker = flow.startWorker();
  await came.promise;
  return { worker, answer: mayAnswer.resolve };
}

const cursorOf = async () => {
  const [row] = await flow.deps.db.query<{ position: bigint }>("select position from receiver_cursor");
  return row?.position ?? -1n;
};

test("a worker whose receiver another one took writes nothing down: what it had sent comes again", async () => {
  const before = await cursorOf();
  const { worker, answer } = await sendOne();
  await flow.deps.db.execute("update receiver_cursor set lease_uid = gen_random_uuid()"); // as the other one does
  answer();
  await worker.stop();
  expect([await cursorOf(), await flow.attempts()]).toEqual([before, []]);
  flow.startWorker();
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(receiver.arrivals.map(({ body }) => body)).toEqual(['"one"', '"one"']);
});

test("a cursor is not moved over batches that stand elsewhere since the database was set back: nothing is lost", async () => {
  const { worker, answer } = await sendOne();
  // The server came back without the newest numbers, and gives this one to another batch.
  await flow.deps.db.execute("update topic_batch set position = null");
  await flow.deps.db.execute("update topic_stream set last_position = (select position from receiver_cursor)");
  await flow.deps.db.execute(
    `insert into outbox_event (bucket, uid, topic, payload)
     values (7, '00000000-0000-7000-8000-000000000001', 'point_balance/update', '"other"')`,
  );
  await flow.deps.db.execute(
    `insert into topic_batch (uid, topic, due_at, buckets, uids)
     select uid, topic, now(), array[bucket], array[uid] from outbox_event where payload = '"other"'`,
  );
  await flow.deps.db.query("select number_batches('point_balance/update')");
  answer();
  await worker.stop();
  expect(await flow.deliveries()).toHaveLength(2);
  flow.startWorker();
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(receiver.arrivals.map(({ body }) => body).sort()).toEqual(['"one"', '"one"', '"other"']);
});

test("of transactions that commit late none is passed over", async () => {
  const worker = flow.startWorker();
  const mayCommit = Promise.withResolvers<void>();
  const isWritten = Promise.withResolvers<void>();
  const late = flow.deps.db.tx(async (tx) => {
    await tx.query(LOCK_SUBSCRIPTIONS_SHARED);
    await publishEvents(tx, flow.deps, await readActiveTopics(tx), [testEvent({ payload: '"late"' })]);
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  for (const payload of ['"second"', '"third"']) {
    await flow.publish([testEvent({ payload })]);
    await waitUntil(() => receiver.arrivals.some(({ body }) => body === payload));
  }
  mayCommit.resolve();
  await late;
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(receiver.arrivals.map(({ body }) => body)).toEqual(['"second"', '"third"', '"late"']);
  await worker.stop();
});

test("two workers, one of which is killed again and again: every event comes, in its customer's order", async () => {
  const [customers, versions] = [40, 30];
  const uidOf = (n: number) => `019ca8e7-0000-7000-8000-0000000002${String(n).padStart(2, "0")}`;
  const start = () =>
    spawn(process.execPath, [DELIVERER, JSON.stringify(flow.database.connection)], { stdio: "ignore" });
  const children = [start(), start()];
  for (let version = 1; version <= versions; version++) {
    const payload = (n: number) => JSON.stringify({ customer: n, version });
    await flow.publish(
      Array.from({ length: customers }, (_, n) =>
        testEvent({ customerUid: uidOf(n), version: BigInt(version), payload: payload(n) }),
      ),
    );
    if (version % 10 !== 0) continue;
    const before = receiver.arrivals.length;
    await waitUntil(() => receiver.arrivals.length > before); // in the middle of its work
    const [first, ...others] = children.splice(0);
    first?.kill("SIGKILL");
    children.push(...others, start());
  }
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  for (const child of children) child.kill("SIGKILL");
  const arrived = receiver.arrivals.map(({ body }) => body);
  expect(new Set(arrived).size).toBe(customers * versions);
  for (let n = 0; n < customers; n++) {
    const firstTimes = [...new Set(arrived)].map((body) => JSON.parse(body)).filter(({ customer }) => customer === n);
    expect(firstTimes.map(({ version }) => version)).toEqual(Array.from({ length: versions }, (_, i) => i + 1));
  }
});
