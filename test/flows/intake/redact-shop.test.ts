import { afterAll, beforeAll, expect, test } from "vitest";
import { redactShop } from "../../../src/intake/redact-shop.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { rowsScanned } from "../../support/rows-scanned.ts";
import { waitUntil } from "../../support/wait-until.ts";

const AT = "2026-03-01T00:00:00Z";

let service: IntakeService;
beforeAll(async () => {
  service = await startIntakeService({ now: AT, program: { store: { currency: "JPY" } } });
});
afterAll(() => service.stop());

/** A guest orders something. */
async function order(orderId: string): Promise<void> {
  const lines = [{ line_id: "a", quantity: 1, unit_price: { minor: 1_000, currency: "JPY" } }];
  const of = { order_id: orderId, customer_id: null, email: `${orderId}@example.com`, shop_currency: "JPY", lines };
  const payload = { ...of, processed_at: AT, paid_at: AT };
  const { status, text } = await service.client.post("/intake/events", { type: "OrderPaid", occurred_at: AT, payload });
  expect(status, text).toBe(202);
  await service.drain();
}

test("a guest's order that is stored behind the erasure of a shop while it runs is erased too", async () => {
  const { deps, owner } = service;
  await order("b-held");
  const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const { erasing } = await owner.tx(async (tx) => {
    await tx.execute("select from store_order where order_id = 'b-held' for update");
    const running = redactShop(deps, { reference: "954889", by: "test" });
    await waitUntil(async () => (await deps.db.query(waits)).length > 0);
    await order("a-late");
    return { erasing: running };
  });
  await erasing;
  const orders = await deps.db.query('select order_id as "orderId", email from store_order order by 1');
  expect(orders).toEqual(["a-late", "b-held"].map((orderId) => ({ orderId, email: null })));
});

test("receipts that are erased already are not read again for each slice of the others", async () => {
  const { deps, owner } = service;
  const receipts = 8_000;
  await owner.execute(
    `insert into receipt (key, uid, adapter, topic, delivery_key, subject, state, received_at, body)
select decode(md5('r' || n), 'hex'), lpad(to_hex(n), 32, '0')::uuid, 'neutral', 'x', n, 'order/' || n, 'done', $1, 'x'
from generate_series(1, ${receipts}) n`,
    [AT],
  );
  await owner.execute("analyze receipt");
  const read = await rowsScanned(deps.db, "receipt", (db) =>
    redactShop({ ...deps, db }, { reference: "1", by: "test" }),
  );
  expect(await deps.db.query("select from receipt where body is not null or state <> 'done'")).toEqual([]);
  expect(read).toBeLessThan(3 * receipts); // each for its slice, and once at the end
});
