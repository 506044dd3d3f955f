import { afterAll, beforeAll, expect, test } from "vitest";
import { pruneWebhookLog } from "../../src/webhooks/prune-webhook-log.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// Events whose delivery failed are kept until a person sends them again: of a receiver that refuses all, these may be millions.

const EVENTS = 60_000;
const RECEIVER = "00000000-0000-7000-8000-000000000001";
const SEED = [
  `insert into outbox_event (bucket, uid, topic, customer_uid, version, payload, inserted_at)
select n % 256, md5('e' || n)::uuid, 'point_balance/update', md5('c' || n)::uuid, 1, '', now() - interval '90 days' + n * interval '1 second'
from generate_series(1, ${EVENTS}) n`,
  `insert into delivery (subscription_uid, bucket, uid, customer_uid, version, state, attempts, due_at)
select '${RECEIVER}', bucket, uid, customer_uid, version, 'failed', 5, inserted_at
from outbox_event
where bucket < 128`,
  "analyze outbox_event, delivery",
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const statement of SEED) await service.owner.execute(statement);
});
afterAll(() => service.stop());

test("events that are kept are read once, not again for each slice of the others", async () => {
  const { deps, owner } = service;
  let removed = 0;
  const read = await rowsScanned(deps.db, "outbox_event", async (db) => {
    removed = await pruneWebhookLog({ ...deps, db });
  });
  const [left] = await owner.query("select count(*)::int as events, max(bucket)::int as bucket from outbox_event");
  expect([removed, left]).toEqual([29_952, { events: 30_048, bucket: 127 }]);
  expect(read).toBeLessThan(3 * EVENTS);
});
