import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Problem } from "../../../src/problems.ts";
import { replayDelivery } from "../../../src/webhooks/failures/replay-delivery.ts";
import { replayFailed } from "../../../src/webhooks/failures/replay-failed.ts";
import { pruneWebhookLog } from "../../../src/webhooks/prune-webhook-log.ts";
import { listSubscriptions } from "../../../src/webhooks/subscriptions/list-subscriptions.ts";
import { removeReceiver } from "../../../src/webhooks/subscriptions/remove-receiver.ts";
import { type Arrival, startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

const TOPIC = "point_balance/update";
const DEAD = 100;

let flow: WebhookFlow;
let first: TestReceiver;
let second: TestReceiver;

beforeAll(async () => {
  flow = await openWebhookFlow();
});
beforeEach(async () => {
  [first, second] = [await startReceiver(), await startReceiver()];
});
afterEach(async () => {
  await flow.clear();
  await first.close();
  await second.close();
});
afterAll(() => flow.close());

/** Each once: a worker that was held up for longer than its lease sends again what it had not written down. */
const bodies = ({ arrivals }: TestReceiver) => [...new Set(arrivals.map(({ body }) => body))].sort();

function isSignedBy(secret: string, { headers, body }: Arrival): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  return headers["webhook-signature"] === new Webhook(secret).sign(String(headers["webhook-id"]), at, body);
}

test("each receiver of a topic is sent each event, signed with its own secret; the interface shows one", async () => {
  const main = await flow.subscribe(TOPIC, first.url);
  const additional = await flow.addReceiver(TOPIC, second.url);
  await expect(flow.addReceiver(TOPIC, second.url)).rejects.toThrow(Problem);
  flow.startWorker();
  await flow.publish(Array.from({ length: 70 }, (_, n) => testEvent({ payload: `"${n}"` })));
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(bodies(first)).toHaveLength(70);
  expect((await flow.attempts()).filter(({ status }) => status === 200)).toHaveLength(140); // written down once each
  expect(bodies(first)).toEqual(bodies(second));
  expect(first.arrivals.every((arrival) => isSignedBy(main.secret, arrival))).toBe(true);
  expect(second.arrivals.every((arrival) => isSignedBy(additional.secret, arrival))).toBe(true);
  expect((await listSubscriptions(flow.deps)).subscriptions.map(({ uid }) => uid)).toEqual([main.uid]);
});

test("what fails at one receiver is resent to that one, and to no other", async () => {
  const start = Temporal.Instant.from("2027-03-01T09:30:00Z");
  await flow.subscribe(TOPIC, first.url);
  const { uid } = await flow.addReceiver(TOPIC, second.url);
  second.answer = () => 500;
  flow.setClock(start);
  flow.startWorker();
  await flow.publish([testEvent()]);
  await flow.stepTo(start.add({ hours: 24 * 20 }));
  const [failed] = await flow.deliveries();
  expect(failed).toMatchObject({ state: "failed", attempts: 21 });
  expect([first.arrivals.length, second.arrivals.length]).toEqual([1, 21]);
  second.answer = () => 200;
  await flow.deps.db.tx((tx) => replayDelivery(tx, flow.deps, failed?.uid ?? ""));
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect([first.arrivals.length, second.arrivals.length]).toEqual([1, 22]);
  await removeReceiver(flow.deps, uid);
  await expect(removeReceiver(flow.deps, uid)).rejects.toThrow(Problem);
  await flow.publish([testEvent()]);
  await waitUntil(() => first.arrivals.length === 2);
  expect(second.arrivals).toHaveLength(22);
});

/** Leaves one event's deliveries to two receivers, each after a failed attempt. */
async function failAtBoth(): Promise<{ main: string; additional: string }> {
  const main = await flow.subscribe(TOPIC, first.url);
  const additional = await flow.addReceiver(TOPIC, second.url);
  for (const receiver of [first, second]) receiver.answer = () => 500;
  flow.setClock(Temporal.Instant.from("2027-03-01T09:30:00Z"));
  const worker = flow.startWorker();
  await flow.publish([testEvent()]);
  await waitUntil(async () => (await rows()).length === 2);
  await worker.stop();
  return { main: main.uid, additional: additional.uid };
}

const rows = () =>
  flow.deps.db.query(
    "select subscription_uid as receiver, state, attempts::integer as attempts from delivery order by subscription_uid",
  );

const rowsWritten = async () => {
  const tables = ["outbox_event", "topic_batch", "event_batch", "delivery"];
  const counts = tables.map((table) => `(select count(*) from ${table})`).join(" + ");
  const [row] = await flow.deps.db.query<{ count: bigint }>(`select ${counts} as count`);
  return row?.count;
};

test("a change writes as many rows for a hundred receivers as for one", async () => {
  await flow.subscribe(TOPIC, first.url);
  await flow.publish([testEvent(), testEvent()]);
  expect(await rowsWritten()).toBe(3n);
  for (let n = 0; n < 99; n++) await flow.addReceiver(TOPIC, `${second.url}&n=${n}`);
  await flow.publish([testEvent(), testEvent()]);
  expect(await rowsWritten()).toBe(6n);
});

test("an added receiver is sent what is published from then on, and batches stay until each receiver is past them", async () => {
  await flow.subscribe(TOPIC, first.url);
  await flow.publish([testEvent({ payload: '"before"' })]);
  const { uid } = await flow.addReceiver(TOPIC, second.url);
  second.answer = () => "hang";
  await flow.publish([testEvent({ payload: '"after"' })]);
  flow.startWorker();
  await waitUntil(() => first.arrivals.length === 2 && second.arrivals.length === 1);
  await waitUntil(async () => (await flow.deliveries()).length === 1);
  expect(bodies(second)).toEqual(['"after"']);
  await pruneWebhookLog(flow.deps);
  expect(await flow.deps.db.query("select from topic_batch")).toHaveLength(1);
  await removeReceiver(flow.deps, uid);
  expect(await pruneWebhookLog(flow.deps)).toBe(1);
  expect(await flow.deps.db.query("select from receiver_cursor")).toHaveLength(1);
});

test("what a removed receiver left waiting is pruned, and nothing of the others", async () => {
  const { main, additional } = await failAtBoth();
  await removeReceiver(flow.deps, additional);
  expect(await pruneWebhookLog(flow.deps)).toBe(1 + 1); // its delivery, and the batch that the other is past
  expect(await rows()).toEqual([{ receiver: main, state: "waiting", attempts: 1 }]);
});

test("what failed at one receiver is sent again, while the same event waits for another", async () => {
  const { main, additional } = await failAtBoth();
  const fail = "update delivery set state = 'failed', attempts = 21 where subscription_uid = $1";
  await flow.deps.db.execute(fail, [additional]);
  const again = await replayFailed(flow.deps, { since: null, topic: null }, () => {});
  expect(again).toEqual({ replayed: 1, hasMore: false });
  expect(await rows()).toEqual(
    [
      { receiver: main, state: "waiting", attempts: 1 },
      { receiver: additional, state: "waiting", attempts: 0 },
    ].sort((a, b) => (a.receiver < b.receiver ? -1 : 1)),
  );
});

test("a hundred receivers that are gone or hang delay a quick one by nothing, and share a pace", async () => {
  const gone = await startReceiver();
  await gone.close();
  second.answer = () => "hang";
  await flow.subscribe(TOPIC, first.url);
  for (let n = 0; n < DEAD; n++) await flow.addReceiver(TOPIC, `${n % 2 === 0 ? gone.url : second.url}&n=${n}`);
  flow.startWorker();
  await flow.publish(Array.from({ length: 10 }, () => testEvent())); // each fails ten times: they are dead
  const dead = async () => (await flow.deps.db.query("select from subscription where failures >= 5")).length;
  await waitUntil(async () => (await dead()) === DEAD);
  const before = first.arrivals.length;
  const attemptsBefore = (await flow.attempts()).length;
  const startedMs = performance.now();
  for (let n = 0; n < 50; n++) {
    await flow.publish([testEvent({ payload: `"late ${n}"` })]);
    await waitUntil(() => first.arrivals.length > before + n);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const attempts = (await flow.attempts()).length - attemptsBefore - 50;
  expect(attempts).toBeLessThan(100 * seconds + DEAD * 10); // 80 a second, and the ten of each that were out
  expect(second.openMax).toBeLessThanOrEqual((DEAD / 2) * 32);
  expect(new Set(first.arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(60);
});
