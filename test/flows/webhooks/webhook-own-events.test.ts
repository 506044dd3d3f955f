import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../../support/webhook-flow.ts";

// What a process has committed, its worker sends without reading it again. To tell the two apart, the rows here say "from a row".
const TOPIC = "point_balance/update";
const MARK_ROW = `
create function mark_row() returns trigger language plpgsql as $$
begin
  new.payload := '"from a row"';
  return new;
end
$$`;
const CUSTOMER = { customerUid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716" };

let flow: WebhookFlow;
let receiver: TestReceiver;

beforeAll(async () => {
  flow = await openWebhookFlow();
  await flow.database.owner.execute(MARK_ROW);
  await flow.database.owner.execute(
    "create trigger mark_row before insert on outbox_event for each row execute function mark_row()",
  );
});
beforeEach(async () => {
  receiver = await startReceiver();
  await flow.subscribe(TOPIC, receiver.url);
});
afterEach(async () => {
  await flow.clear();
  await receiver.close();
});
afterAll(() => flow.close());

const bodies = () => receiver.arrivals.map(({ body }) => body);
const publish = (payload: string, version = 1n) => flow.publish([testEvent({ ...CUSTOMER, version, payload })]);

/** A worker that has read at least once: before, it does not know whose events to keep. */
async function readyWorker(options: Parameters<WebhookFlow["startWorker"]>[0] = {}): Promise<void> {
  flow.startWorker(options);
  await publish("1");
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  receiver.arrivals.length = 0;
}

test("events of this process are sent as they were written, and are acknowledged", async () => {
  await readyWorker();
  await publish('"from memory"', 2n);
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(bodies()).toEqual(['"from memory"']);
});

test("what a worker did not hear of is read", async () => {
  await readyWorker({ onWake: () => () => {} });
  await publish('"from memory"', 2n);
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(bodies()).toEqual(['"from a row"']);
});

test("while something of the receiver waits in a row, all is read, and a customer's order stays", async () => {
  await readyWorker();
  receiver.answer = () => (receiver.arrivals.length === 1 ? 500 : 200);
  await publish('"first"', 2n);
  await waitUntil(async () => (await flow.deliveries()).some(({ attempts }) => attempts === 1));
  await publish('"second"', 3n);
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  expect(receiver.arrivals.map(({ headers }) => headers["pointkeeper-version"])).toEqual(["2", "2", "3"]);
});

test("answers that come close together are written down together", async () => {
  await readyWorker();
  const startedMs = performance.now();
  await flow.publish(Array.from({ length: 300 }, () => testEvent()));
  await waitUntil(async () => (await flow.deliveries()).length === 0);
  const tookMs = performance.now() - startedMs;
  const [row] = await flow.deps.db.query<{ count: bigint }>(
    "select count(distinct xmin::text) from acknowledgement where cardinality(uids) > 0",
  );
  expect(receiver.arrivals).toHaveLength(300);
  expect(Number(row?.count)).toBeLessThanOrEqual(tookMs / 25 + 3); // the first one's too
});
