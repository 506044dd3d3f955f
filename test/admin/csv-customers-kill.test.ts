import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomers } from "../../src/customers/upsert-customers.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { killImport } from "../support/kill-import.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

const KNOWN = 6_000;
const NEW = 10_000;
/** Every so many rows are of one customer, whose name the last one says. */
const REPEATED = 100;

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
  const patches = Array.from({ length: KNOWN }, (_, n) => ({ storefrontId: `77${n}`, name: "Before" }));
  await service.deps.db.tx((tx) => upsertCustomers(tx, service.deps, patches));
  const topic = { topic: "point_balance/update", callback_url: "http://127.0.0.1:1/hook" };
  expect((await service.client.post("/api/storefront/webhooks", topic)).status).toBe(200);
});
afterAll(() => service.stop());

function content(): string {
  const rows = Array.from({ length: KNOWN + NEW }, (_, n) => {
    const repeated = n % REPEATED === 0 ? [`again,,Row ${n}`] : [];
    return [`77${n},C${n}@example.com,After ${n}`, ...repeated].join("\n");
  });
  return `id,email,name\n${rows.join("\n")}\n`;
}

test("killed again and again, an import creates and changes each customer once, in the file's order", async () => {
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content(), { kind: "customers" });
  const { uid } = sent.body.data;
  const repeats = (KNOWN + NEW) / REPEATED;
  const rows = KNOWN + NEW + repeats;
  const totals = {
    row_count: rows,
    good_count: rows,
    fault_count: 0,
    customers: { created_count: NEW + 1, updated_count: KNOWN + repeats - 1, unchanged_count: 0 },
  };
  const checked = await killImport(service, manager, { uid, verb: "check", body: settingsOf(sent.body.data) });
  expect(checked).toMatchObject({ state: "checked", check: totals, customer_count: KNOWN + NEW + 1 });
  const imported = await killImport(service, manager, { uid, verb: "start" });
  expect(imported).toMatchObject({ state: "imported", import: totals });

  const [figures] = await service.deps.db.query(
    `select count(*)::int as customers,
      count(distinct c.storefront_id)::int as ids,
      count(*) filter (where c.email = 'c' || substr(c.storefront_id, 3) || '@example.com'
        and c.name = 'After ' || substr(c.storefront_id, 3))::int as right,
      (select count(*)::int from balance) as balances,
      (select count(*)::int from customer_alias) as aliases,
      (select count(distinct o.customer_uid)::int from outbox_event o) as told,
      (select count(*)::int from import_profile) as left
    from customer c`,
  );
  const all = KNOWN + NEW;
  const each = { customers: all + 1, ids: all + 1, balances: all + 1, aliases: all + 1 };
  expect(figures).toEqual({ ...each, right: all, told: KNOWN + 1, left: 0 });
  const again = await service.client.get("/api/storefront/customers/again");
  expect(again.body.data.name).toBe(`Row ${all - REPEATED}`);
  const printed: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => printed.push(line))).ok, printed.join("\n")).toBe(true);
});
