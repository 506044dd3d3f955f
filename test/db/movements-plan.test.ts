import { afterAll, beforeAll, expect, test } from "vitest";
import { listMovements } from "../../src/liability/list-movements.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A type that was frequent until last month, for example of a sales channel that ended, is for the planner one that occurs all the time.

const A_MONTH = 20_000;
const SEED = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key, app_reference, extends,
  program_version)
select n % 256, md5('c' || n)::uuid, 1, md5('a' || n)::uuid, timestamptz '2026-01-02' + n * interval '2 minutes',
  case when n > ${A_MONTH} or n % 5 = 0 then 'api' else 'fulfillment' end, 5, 5, 'api/' || n, 'test', true, 1
from generate_series(1, ${2 * A_MONTH}) n`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await service.owner.execute(SEED);
  await service.owner.execute("analyze allotment");
});
afterAll(() => service.stop());

test("a month without a type is not read for that type", async () => {
  const read = await rowsScanned(service.deps.db, "allotment", async (db) => {
    const { rows } = await listMovements({ db }, { kind: "issued", month: "2026-02" });
    expect(rows).toHaveLength(100);
  });
  expect(read).toBeGreaterThan(5_000);
  // 5,000 of one type; finding them again by their uids reads a table as small as this one as a whole
  expect(read).toBeLessThan(2 * A_MONTH + 6_000);
});
