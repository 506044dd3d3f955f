import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomers } from "../../src/customers/upsert-customers.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { killImport } from "../support/kill-import.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

const NOW = "2026-03-01T00:00:00Z";
const CUSTOMERS = 4_000;

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: NOW });
  manager = await signIn(service, "manager");
  const patches = Array.from({ length: CUSTOMERS }, (_, n) => ({ storefrontId: `66${n}` }));
  await service.deps.db.tx((tx) => upsertCustomers(tx, service.deps, patches));
  const topic = { topic: "point_allotment/cascade", callback_url: "http://127.0.0.1:1/hook" };
  expect((await service.client.post("/api/storefront/webhooks", topic)).status).toBe(200);
});
afterAll(() => service.stop());

/** Two rows a customer: 10 more, then 4 less. */
function content(): string {
  const ids = Array.from({ length: CUSTOMERS }, (_, n) => `66${n}`);
  return ["id,points", ...ids.map((id) => `${id},10`), ...ids.map((id) => `${id},-4`), ""].join("\n");
}

async function figures() {
  const [row] = await service.deps.db.query(
    `select count(*)::int as count,
      count(distinct source_key)::int as keys,
      coalesce(sum(point_value), 0)::int as points,
      (select sum(ledger_points)::int from balance) as balances,
      (select count(*)::int from outbox_event) as told
    from allotment`,
  );
  return row;
}

test("killed again and again, an import checks, posts and undoes each row once", async () => {
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content());
  const { uid } = sent.body.data;
  const rows = 2 * CUSTOMERS;

  const checked = await killImport(service, manager, { uid, verb: "check", body: settingsOf(sent.body.data) });
  expect(checked).toMatchObject({
    state: "checked",
    check: { row_count: rows, good_count: rows, points_added: 10 * CUSTOMERS, points_taken: 4 * CUSTOMERS },
    customer_count: CUSTOMERS,
    warning_count: CUSTOMERS,
  });
  const imported = await killImport(service, manager, { uid, verb: "start" });
  expect(imported).toMatchObject({
    state: "imported",
    import: { row_count: rows, good_count: rows, fault_count: 0, points_added: 10 * CUSTOMERS },
  });
  const left = 6 * CUSTOMERS;
  expect(await figures()).toEqual({ count: rows, keys: rows, points: left, balances: left, told: rows });

  const undone = await killImport(service, manager, { uid, verb: "undo" });
  expect(undone).toMatchObject({
    state: "undone",
    undo: { row_count: rows, good_count: rows, points_added: 4 * CUSTOMERS, points_taken: 10 * CUSTOMERS },
  });
  expect(await figures()).toEqual({ count: 2 * rows, keys: 2 * rows, points: 0, balances: 0, told: 2 * rows });
  const printed: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => printed.push(line))).ok, printed.join("\n")).toBe(true);
});
