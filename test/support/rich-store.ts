import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { closeCheckpoint } from "../../src/checkpoints/close-checkpoint.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { linkChains } from "../../src/ledger/chain/link-chains.ts";
import { checkCustomers, customerLines, startCustomers } from "./customer-import.ts";
import type { TestService } from "./service.ts";
import { signIn } from "./staff.ts";
import { waitUntil } from "./wait-until.ts";

const API = "/api/storefront";
/** Every character that JSON, CSV or COPY writes in a special way. */
export const ODD_NAME = "Hanako\t\\N \\. \\u0000 {\"}',\n 山田 \u{1F375} \u2028";

/** Creates a day of a store through its public interface: nearly every kind of row. */
export async function makeRichStore(service: TestService): Promise<void> {
  const { client } = service;
  const ok = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    expect(status, text).toBeLessThan(300);
  };
  const person = { name: ODD_NAME, name_reading: "やまだ", email: "hanako@example.com", birthday: "1990-02-28" };
  await ok(client.put(`${API}/customers/c1`, person));
  for (let n = 2; n <= 12; n++) await ok(client.put(`${API}/customers/c${n}`, { name: `Customer ${n}` }));
  for (const topic of ["point_allotment/cascade", "point_balance/update"])
    await ok(client.post(`${API}/webhooks`, { topic, callback_url: "http://127.0.0.1:9/hook" }));
  const reason = { type: "compensation", note: ODD_NAME };
  for (let n = 1; n <= 12; n++)
    await ok(client.post(`${API}/point_allotments`, { customer_id: `c${n}`, point_value: 1_000 * n, reason }));
  await ok(client.post(`${API}/point_allotments`, { customer_id: "c1", point_value: 9_000_000_000_000_000 }));
  await ok(client.post(`${API}/point_allotments`, { customer_id: "c2", point_value: -700 }));
  await ok(client.post(`${API}/point_balances/c3/set_balances`, { balance: 77 }));
  await reserve(service, ok);
  await ok(client.post(`${API}/coupons`, { customer_id: "c7", point_value: 500 }));
  await ok(client.post(`${API}/point_balances/c8/tiers`, { skip_next_check: true }));
  await sell(service, ok);
  const range = { start_datetime: "2026-01-01T00:00:00Z", end_datetime: "2026-02-01T00:00:00Z" };
  await ok(client.post(`${API}/point_balances/export`, range));
  await staffWork(service, ok);
  await settle(service);
}

type Ok = (answer: Promise<{ status: number; text: string }>) => Promise<void>;

async function reserve({ client }: TestService, ok: Ok): Promise<void> {
  const held = await client.post(`${API}/reservations`, { customer_id: "c5", point_value: 100, ttl_seconds: 900 });
  await ok(client.post(`${API}/reservations/${held.body.data.id}/capture`));
  await ok(client.post(`${API}/reservations`, { customer_id: "c6", point_value: 50, ttl_seconds: 900 }));
}

async function sell(service: TestService, ok: Ok): Promise<void> {
  const at = service.clock.now().toString();
  for (let n = 1; n <= 6; n++) {
    const lines = [{ line_id: `L${n}`, quantity: 2, unit_price: { minor: 12_300, currency: "JPY" } }];
    const payload = { order_id: `O${n}`, customer_id: `c${n}`, shop_currency: "JPY", taxes_included: true };
    const paid = { type: "OrderPaid", delivery_key: `p${n}`, occurred_at: at };
    await ok(service.client.post("/intake/events", { ...paid, payload: { ...payload, processed_at: at, lines } }));
    const fulfillment = { fulfillment_id: `F${n}`, lines: [{ line_id: `L${n}`, quantity: 2 }] };
    const shipped = { type: "OrderFulfilled", delivery_key: `s${n}`, occurred_at: at };
    await ok(service.client.post("/intake/events", { ...shipped, payload: { order_id: `O${n}`, fulfillment } }));
  }
  await processAllReceipts(service.deps);
}

async function staffWork(service: TestService, ok: Ok): Promise<void> {
  const owner = await signIn(service, "owner");
  const id = (await service.client.get(`${API}/point_balances/c9`)).body.data.id;
  const adjustment = { request_uid: randomUUID(), point_value: -30, note: ODD_NAME };
  await ok(owner.post(`/customers/${id}/adjustments`, adjustment));
  const file = await checkCustomers(service, owner, customerLines("c20,c20@example.com,Twenty,,,", "c21,,x,,,"));
  await startCustomers(service, owner, file.uid);
}

/** Does the worker's work until there is none left: then nothing changes any more. */
async function settle({ deps }: TestService): Promise<void> {
  await linkChains(deps);
  const COUNTS = "select (select count(*) from allotment) as allotments, (select count(*) from audit_entry) as entries";
  const COVERED = "select allotments, entries from checkpoint order by n desc limit 1";
  await waitUntil(async () => {
    await closeCheckpoint(deps);
    const [[all], [covered]] = await Promise.all([deps.db.query(COUNTS), deps.db.query(COVERED)]);
    return all?.["allotments"] === covered?.["allotments"] && all?.["entries"] === covered?.["entries"];
  });
}
