import { afterAll, beforeAll, expect, test } from "vitest";
import { recordPace } from "../../src/intake/record-pace.ts";
import { runReceipts } from "../../src/intake/run-receipts.ts";
import { type IntakeService, startIntakeService } from "../support/intake.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: IntakeService;
let viewer: AdminClient;

beforeAll(async () => {
  service = await startIntakeService({ program: { store: { currency: "JPY" } } });
  viewer = await signIn(service, "viewer");
});
afterAll(() => service.stop());

const backlog = async () => (await viewer.get("/intake/backlog")).body.data;

/** Receipts that came so long ago: their uids tell. */
async function storeOld(count: number, age: string): Promise<void> {
  await service.deps.db.execute(
    `insert into receipt (key, uid, adapter, topic, delivery_key, subject, state, received_at, body)
    select sha256((h.hex || n)::bytea),
      (substr(h.hex, 1, 8) || '-' || substr(h.hex, 9, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      'neutral', 'OrderDeleted', h.hex || n, 'order/' || n, 'new', now(),
      '{"type":"OrderDeleted","payload":{"order_id":1}}'
    from generate_series(1, $1) as n,
      (select lpad(to_hex((extract(epoch from clock_timestamp() - $2::text::interval) * 1000)::bigint), 12, '0') as hex) h`,
    [count, age],
  );
}

test("the backlog is counted by age, with the rate of the workers and the time left", async () => {
  expect(await backlog()).toMatchObject({ new: 0, oldest_s: null, per_minute: 0, left_s: 0 });
  await service.client.post("/intake/events", { type: "CustomerUpserted", payload: { customer_id: "b1" } });
  await storeOld(30, "90 seconds");
  await storeOld(20, "2 hours");
  expect(await backlog()).toMatchObject({
    ...{ new: 51, waiting: 0, failed: 0, quarantined: 0, counted_to: 100_000 },
    older_than: { minute: 50, ten_minutes: 20, hour: 20, day: 0 },
    left_s: null, // nothing is processed: no worker runs
  });
  const { oldest_s: oldestS } = await backlog();
  expect(oldestS).toBeGreaterThanOrEqual(7_200);
  expect(oldestS).toBeLessThan(7_300);
  await recordPace(service.deps.db, service.deps.random.uid(), 51);
  const { per_minute: perMinute, left_s: leftS } = await backlog();
  expect(perMinute).toBeGreaterThan(0);
  expect(leftS).toBe(Math.ceil((51 / perMinute) * 60) || leftS);
  expect(leftS).toBeGreaterThan(0);
});

test("a worker counts what it processed, and the backlog empties", async () => {
  const ending = new AbortController();
  const running = runReceipts(service.deps, { signal: ending.signal });
  await waitUntil(async () => (await backlog()).new === 0);
  ending.abort();
  await running;
  const [row] = await service.deps.db.query<{ processed: bigint }>(
    "select sum(processed)::bigint as processed from intake_pace",
  );
  expect(row?.processed).toBe(102n);
  expect(await backlog()).toMatchObject({ new: 0, oldest_s: null, left_s: 0 });
});

test("no state is counted further than is said", async () => {
  await storeOld(100_500, "3 hours");
  const { new: fresh, older_than: olderThan, counted_to: countedTo } = await backlog();
  expect([fresh, olderThan.hour]).toEqual([countedTo + 1, countedTo + 1]);
  await service.owner.execute("delete from receipt");
});

test("a receipt's warnings are shown with it, and those with warnings can be listed alone", async () => {
  const lines = [{ line_id: "a", quantity: 1, unit_price: { minor: 100, currency: "JPY" } }];
  const payload = { order_id: "w-1", lines, subtotal: { minor: 90, currency: "JPY" } };
  await service.client.post("/intake/events", [
    { type: "OrderPlaced", payload },
    { type: "OrderPlaced", payload: { order_id: "w-2", lines } },
  ]);
  await service.deliver(
    "orders/create",
    JSON.stringify({ id: 5, currency: "JPY", created_at: "2026-03-01T00:00:00Z", line_items: [], subtotal_price: "x" }),
  );
  await service.drain();
  const list = (await viewer.get("/intake/receipts?warned=yes")).body.data;
  expect(
    list.map(({ subject, state, has_warnings }: Record<string, unknown>) => [subject, state, has_warnings]),
  ).toEqual([
    ["order/5", "done", true],
    ["order/w-1", "done", true],
  ]);
  const all = (await viewer.get("/intake/receipts")).body.data;
  expect(all.map(({ has_warnings }: { has_warnings: boolean }) => has_warnings)).toEqual([true, false, true]);
  const one = (await viewer.get(`/intake/receipts/${list[1].uid}`)).body.data;
  const values = { stated: "90 JPY", lines: "100 JPY" };
  const said = { pointer: "/payload/subtotal", detail: expect.stringContaining("90 JPY") };
  expect(one.warnings).toEqual([{ ...said, kind: "subtotal_differs", values }]);
  const noted = (await viewer.get(`/intake/receipts/${list[0].uid}`)).body.data;
  expect(noted.warnings).toMatchObject([{ pointer: "/subtotal_price", kind: "passed_over", values: {} }]);
  const kept = JSON.stringify([{ pointer: "/payload/subtotal", detail: "subtotal is 90 JPY" }]);
  await service.owner.execute("update receipt_warning set warnings = $2 where uid = $1", [list[1].uid, kept]);
  const before = (await viewer.get(`/intake/receipts/${list[1].uid}`)).body.data;
  expect(before.warnings).toEqual([{ ...said, kind: null, values: {} }]);
});
