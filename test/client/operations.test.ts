import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Pointkeeper } from "../../packages/client/src/pointkeeper.ts";
import { clientTypes } from "../../scripts/client-types.ts";
import { NOT_OF_CLIENTS } from "../support/not-of-clients.ts";
import { startTestService, type TestService } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const document = JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"));

let service: TestService;
let pointkeeper: Pointkeeper;
const requests: string[] = [];

beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2027-03-01T00:00:00Z", config: { sandbox: true } });
  pointkeeper = new Pointkeeper({
    baseUrl: `${service.url}/`,
    secret: service.credential.secret,
    fetch: (input, init) => {
      requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return fetch(input, init);
    },
  });
});

afterAll(() => service.stop());

test("the types are made from the document", () => {
  const kept = readFileSync(join(ROOT, "packages/client/src/generated.ts"), "utf8");
  expect(kept, "npm run client:types writes them anew").toBe(clientTypes(document));
});

async function callCustomer(uid: string): Promise<void> {
  const { customers, pointAllotments, pointBalances, tiers, ledger } = pointkeeper;
  expect((await customers.get("7")).name).toBe("Seven");
  expect(await customers.merged("7")).toEqual([]);
  expect(await (await customers.storedData("7")).text()).toContain("Seven");
  const own = await Array.fromAsync(pointAllotments.listOfCustomer("7", { per_page: 1 }));
  expect(own.map((allotment) => allotment.uid)).toEqual([uid]);
  expect(await pointAllotments.explain(uid, { language: "en" })).toBeTypeOf("object");
  await expect(pointAllotments.proof(uid)).rejects.toMatchObject({ status: 409 });
  await expect(ledger.checkpoint()).rejects.toMatchObject({ status: 409 });
  expect(await pointBalances.expiries("7")).toMatchObject([{ point_value: 500 }]);
  expect(await pointBalances.explain("7")).toBeTypeOf("object");
  // an open transaction of another test's database on the same server holds events back for a moment
  await expect.poll(async () => (await pointkeeper.events.page({ limit: 1 })).data).toHaveLength(1);
  for await (const event of pointkeeper.events.follow({ limit: 1 })) {
    expect(event).toMatchObject({ topic: "point_allotment/cascade", balance_after: 500 });
    break;
  }
  for await (const event of pointkeeper.events.follow({ include: "tiers", limit: 1 })) {
    expect(event.topic === "tier/change" ? event.payload.to : event.balance_after).toBe(500);
    break;
  }
  const [rule] = await tiers.list();
  expect(await tiers.update("7", { skip_next_check: true })).toMatchObject({ id: "7", skip_next_check: true });
  expect((await tiers.get("7")).tier).toBe(rule?.name);
  expect(await Array.fromAsync(tiers.changes("7", { per_page: 1 }))).toBeInstanceOf(Array);
  expect(await tiers.explain("7")).toBeTypeOf("object");
}

async function callRedemptions(): Promise<void> {
  const { coupons, reservations, pointBalances } = pointkeeper;
  const coupon = await coupons.create({ customer_id: 7n, point_value: 10 });
  expect((await coupons.get(coupon.code)).id).toBe(coupon.id);
  expect((await coupons.delete(coupon.code)).points_reimbursed).toBe(10);
  const hold = await reservations.create({ customer_id: "7", point_value: 20, ttl_seconds: 60 });
  expect((await reservations.get(hold.id)).state).toBe("held");
  expect((await reservations.capture(hold.id, { point_value: 5 })).state).toBe("captured");
  const other = await reservations.create({ customer_id: "7", point_value: 20, ttl_seconds: 60 });
  expect((await reservations.release(other.id)).state).toBe("released");
  expect((await pointBalances.get("7")).point_balance).toBe(495);
  expect((await pointBalances.set("7", 80)).point_value).toBe(-415);
}

async function callStore(): Promise<void> {
  const { orders, products, exports, webhooks, intake, sandbox } = pointkeeper;
  expect(await orders.get(["1001", 1002])).toEqual({});
  await expect(orders.preview({ lines: 5 })).rejects.toMatchObject({ status: 422 });
  await products.put("5", { tags: ["sale"], collections: [] });
  const file = await exports.create({ start_datetime: "2026-01-01", end_datetime: "2026-02-01" });
  expect((await exports.get(file.uid)).status).toBe("processing");
  const wanted = { topic: "point_balance/update", callback_url: "http://127.0.0.1:9/" } as const;
  expect((await webhooks.create(wanted)).secret).toMatch(/^whsec_/);
  expect(await webhooks.list()).toMatchObject([{ topic: wanted.topic }]);
  await webhooks.delete(wanted.topic);
  const event = { type: "CustomerUpserted", occurred_at: "2027-03-01T00:00:00Z", payload: { customer_id: "8" } };
  await intake.send(event).catch((error: unknown) => expect(error).toMatchObject({ status: 422 }));
  const known = { ...event, delivery_key: "waits", occurred_at: undefined };
  const startedMs = performance.now();
  expect(await intake.send(known, { wait: 1 })).toMatchObject([{ status: "new" }]); // nothing processes events here
  expect(performance.now() - startedMs).toBeGreaterThan(900);
  const batch = [known, { type: "None" }];
  expect(await intake.send(batch)).toMatchObject([{ status: "new" }, { status: "refused" }]);
  await expect(intake.send(batch, { strict: true })).rejects.toMatchObject({ status: 422 });
  await expect(intake.send(known, { wait: 1.5 })).rejects.toThrow(TypeError);
  const { now } = await sandbox.clock();
  const later = Temporal.Instant.from(now).add({ minutes: 10 });
  const moved = Temporal.Instant.from((await sandbox.setClock(later.toString())).now);
  expect(Temporal.Instant.compare(moved, later)).toBeGreaterThanOrEqual(0);
  const month = (await pointkeeper.reports.liability()).last_month;
  expect((await pointkeeper.reports.liabilityMovements({ month, kind: "issued" })).data).toBeInstanceOf(Array);
  expect(await (await pointkeeper.reports.liabilityJournal(month)).text()).toContain("date,account");
  expect(await pointkeeper.health()).toBeTypeOf("object");
  expect(await pointkeeper.ready()).toBeTypeOf("object");
}

test("every operation of the document has a method that reaches it", async () => {
  await pointkeeper.customers.put("7", { name: "Seven", email: "seven@example.com" });
  const { uid = "" } = { ...(await pointkeeper.pointAllotments.create({ customer_id: 7, point_value: 500 })) };
  const given = await Array.fromAsync(pointkeeper.pointAllotments.list({ direction: "desc" }));
  expect(given).toMatchObject([{ point_value: 500 }]);
  await callCustomer(uid);
  await callRedemptions();
  await callStore();
  const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, "{}")}`),
  );
  const patterns = operations.map((name) => ({ name, path: new RegExp(`^${name.replaceAll("{}", "[^/]+")}$`) }));
  const called = patterns.filter(({ path }) => requests.some((request) => path.test(request))).map(({ name }) => name);
  expect(operations.filter((name) => !called.includes(name)).sort()).toEqual([...NOT_OF_CLIENTS].sort());
  expect(requests).toContain("POST /api/storefront/point_balances/export");
});

test("a list follows its cursors to the end", async () => {
  await pointkeeper.customers.put("70", {});
  for (let value = 1; value <= 5; value++)
    await pointkeeper.pointAllotments.create({ customer_id: "70", point_value: value });
  const list = pointkeeper.pointAllotments.listOfCustomer("70", { per_page: 2 });
  const sizes: number[] = [];
  for await (const page of list.pages()) sizes.push(page.data.length);
  expect(sizes).toEqual([2, 2, 1]);
  expect((await Array.fromAsync(list)).map((allotment) => allotment.point_value)).toEqual([1, 2, 3, 4, 5]);
});
