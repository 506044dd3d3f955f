import { afterAll, beforeAll, expect, test } from "vitest";
import { listAuditEntries } from "../../src/admin/audit/list-audit-entries.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// The log is never pruned: what a shop's app changed, for years, is nearly all of it.

const ENTRIES = 20_000;
const SEED = `insert into audit_entry (at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id)
select timestamptz '2026-01-01' + n * interval '1 minute', case when n % 5000 = 1 then 'command' else 'credential' end,
  case when n % 5000 = 1 then null else 'app' end, 'app', 'customer.changed', case when n % 4000 = 1 then 'order' else 'customer' end, n::text
from generate_series(1, ${ENTRIES}) n`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await service.owner.execute(SEED);
  await service.owner.execute("analyze audit_entry");
});
afterAll(() => service.stop());

test.each([
  ["a kind of actor", { actor: "command" }, 4],
  ["a kind of subject", { subject_kind: "order" }, 5],
])("the entries of %s are found by an index", async (_, query, count) => {
  const read = await rowsScanned(service.deps.db, "audit_entry", async (db) => {
    const { data } = await listAuditEntries({ db }, { ...query, from: "2026-01-01", to: "2026-03-01" });
    expect(data).toHaveLength(count);
  });
  expect(read).toBeLessThan(100);
});
