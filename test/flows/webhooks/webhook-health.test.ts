import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

const START = Temporal.Instant.from("2027-03-01T09:30:00Z");

let flow: WebhookFlow;
let receiver: TestReceiver;
let other: TestReceiver;

beforeAll(async () => {
  flow = await openWebhookFlow();
});
beforeEach(async () => {
  receiver = await startReceiver();
  other = await startReceiver();
  await flow.subscribe("point_balance/update", receiver.url);
});
afterEach(async () => {
  await flow.clear();
  await receiver.close();
  await other.close();
});
afterAll(() => flow.close());

const attempts = async (kind: string) => (await flow.attempts()).filter((attempt) => attempt.kind === kind);

test("a receiver that hangs delays no other, and has 32 requests open at most", async () => {
  const look = () => ({ hanging: receiver.arrivals.length, open: receiver.openMax, other: other.arrivals.length });
  let atFirstEnd: ReturnType<typeof look> | undefined;
  receiver.answer = () => (response) =>
    void response.once("close", () => {
      atFirstEnd ??= look(); // the sender has given it up
    });
  await flow.subscribe("point_allotment/cascade", other.url);
  flow.startWorker();
  await flow.publish(Array.from({ length: 200 }, () => testEvent()));
  await waitUntil(() => receiver.openMax === 32);
  await flow.publish(Array.from({ length: 200 }, () => testEvent({ topic: "point_allotment/cascade" })));
  await waitUntil(() => other.arrivals.length === 200);
  const whileHanging = atFirstEnd ?? look();
  expect(whileHanging).toMatchObject({ hanging: 32, open: 32 });
  expect(whileHanging.other).toBeGreaterThan(32); // all 200, on a machine that is not busy
});

/** Lets six deliveries fail until the receiver is dead and nothing of theirs is due soon. */
async function failSix(): Promise<void> {
  receiver.answer = () => 500;
  flow.setClock(START);
  flow.startWorker();
  await flow.publish(Array.from({ length: 6 }, () => testEvent({ payload: "{}" })));
  await flow.stepTo(START.add({ seconds: 5 }));
  expect(receiver.arrivals.length).toBeGreaterThanOrEqual(12);
}

test("when a dead receiver answers again, each waiting delivery gets an early try", async () => {
  await failSix();
  receiver.answer = () => 200;
  await flow.publish([testEvent({ payload: '"alive"' })]);
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(await attempts("early")).toHaveLength(6);
  expect(new Set((await attempts("early")).map(({ delivery }) => delivery)).size).toBe(6);
});

test("an early try that fails uses up no resend, and is the only one", async () => {
  await failSix();
  const before = await flow.deliveries();
  const dueBefore = await flow.deps.db.query("select uid, due_at from delivery order by uid");
  receiver.answer = (arrival) => (arrival.body === '"alive"' ? 200 : 500);
  await flow.publish([testEvent({ payload: '"alive"' })]);
  await waitUntil(async () => (await attempts("early")).length >= 5);
  await flow.publish([testEvent({ payload: '"alive"' })]); // it had failed five times in a row again: this is another revival
  await waitUntil(async () => (await attempts("early")).length >= 10);
  expect(await flow.deliveries()).toEqual(before);
  expect(await flow.deps.db.query("select uid, due_at from delivery order by uid")).toEqual(dueBefore);
});

test("the first 200 of a receiver that was not dead gives no early try", async () => {
  const failing = new Set(["1", "2", "3", "4"]);
  receiver.answer = (arrival) => (failing.has(arrival.body) ? 500 : 200);
  flow.setClock(START);
  flow.startWorker();
  await flow.publish([...failing].map((payload) => testEvent({ payload })));
  await flow.stepTo(START);
  await flow.publish([testEvent({ payload: "5" }), testEvent({ payload: "6" })]);
  await flow.stepTo(START);
  await flow.stepTo(START.add({ milliseconds: 500 }));
  expect(receiver.arrivals).toHaveLength(6);
  expect(await attempts("early")).toEqual([]);
});
