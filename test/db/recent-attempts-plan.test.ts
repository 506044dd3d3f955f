import { afterAll, beforeAll, expect, test } from "vitest";
import { selectRecentAttempts } from "../../src/admin/webhooks/subscription-queries.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// Attempts are kept for 30 days. A receiver of which there are few, or none, must not be looked for among those of the others.

const BUSY = "00000000-0000-7000-8000-000000000001";
const QUIET = "00000000-0000-7000-8000-000000000002";
const ROWS = 60_000;
const AT = `clock_timestamp() - n * interval '1 second'`;
const SEED = [
  `insert into subscription (topic, uid, callback_url, activated_at, secret_sealed, is_additional)
select 'point_balance/update', uid::uuid, 'https://example.com/', timestamptz '2026-01-01', 'x', true
from unnest(array['${BUSY}', '${QUIET}']) uid`,
  `insert into attempt (bucket, delivery_uid, uid, kind, started_at, duration_ms, status, recorded_at, subscription_uid)
select n % 256, md5('d' || n)::uuid, md5('a' || n)::uuid, 'first', ${AT}, 5, 500, ${AT}, '${BUSY}'
from generate_series(1, ${ROWS}) n`,
  `insert into acknowledgement (topic, subscription_uid, event_at, recorded_at, buckets, uids, started_at, duration_ms, answer_heads)
select 'point_balance/update', '${BUSY}', ${AT}, ${AT}, array[1], array[md5('u' || n)::uuid], array[${AT}], array[5], array['']
from generate_series(1, ${ROWS}) n`,
  "analyze subscription, attempt, acknowledgement",
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const statement of SEED) await service.owner.execute(statement);
});
afterAll(() => service.stop());

test.each(["attempt", "acknowledgement"])("of a quiet receiver no %s of another one is read", async (table) => {
  const { deps, owner } = service;
  const scanned = (isAdditional: boolean) =>
    rowsScanned(deps.db, table, async (db) => {
      const found = await selectRecentAttempts(db, isAdditional);
      expect(found.map(({ of, count }) => [of, count])).toEqual(isAdditional ? [[BUSY, 2_000n]] : []);
    });
  expect(await scanned(true)).toBeLessThan(2_500);
  expect(await scanned(false)).toBeLessThan(25_000);
  await owner.execute("update subscription set is_additional = false where uid = $1", [BUSY]);
  const read = await rowsScanned(deps.db, table, async (db) => {
    expect(await selectRecentAttempts(db, true)).toEqual([]);
  });
  expect(read).toBe(0);
  await owner.execute("update subscription set is_additional = true where uid = $1", [BUSY]);
});
