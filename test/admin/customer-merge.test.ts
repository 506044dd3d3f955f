import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShownMerge } from "../../src/admin/customers/merge-schema.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn, signInAs } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

const API = "/api/storefront";
let service: TestService;
let support: AdminClient;
let manager: AdminClient;

beforeAll(async () => {
  const rules = [
    { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
    { name: "Gold", default: false, currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
  ];
  const program = { tiers: { rules }, expiration: { delay_months: 12 }, staff: { daily_limit: 1_000_000 } };
  service = await startTestService({ worker: false, program });
  support = await signIn(service, "support");
  manager = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

let made = 0;
async function make(more: object = {}): Promise<string> {
  const storefrontId = `m${++made}`;
  await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { ...more, storefrontId }));
  return storefrontId;
}
async function post(customer_id: string, point_value: number): Promise<number> {
  const body = { customer_id, point_value, reason: { type: "reward" } };
  return (await service.client.post(`${API}/point_allotments`, body)).status;
}
const preview = (kept: string, removed: string, who = manager) =>
  who.post(`/customers/${kept}/merge-preview`, { removed });
const shown = async (kept: string, removed: string): Promise<ShownMerge> => (await preview(kept, removed)).body.data;
const merge = (kept: string, removed: string, seen: string, who = manager) =>
  who.post(`/customers/${kept}/merge`, { removed, seen });
const head = async (id: string) => (await manager.get(`/customers/${id}`)).body.data;

test("two customers whose points one balance cannot hold are told so, and nothing is merged", async () => {
  const [kept, removed] = [await make(), await make()];
  for (const id of [kept, removed]) expect(await post(id, 9_007_199_254_740_000)).toBe(200);
  const { status, body } = await preview(kept, removed);
  expect([status, body.errors[0].code]).toEqual([422, "balance_limit"]);
  expect(await head(removed)).toMatchObject({ id: removed, merged: [] });
});

/** Sessions end while nobody uses them. */
async function daysLater(days: number): Promise<void> {
  service.clock.advance({ hours: 24 * days });
  support = await signInAs(service.url, support);
  manager = await signInAs(service.url, manager);
}

/** Every point that there is, and every row that says of one. */
async function written() {
  const [row] = await service.deps.db.query<{
    points: bigint;
    allotments: bigint;
    lots: bigint;
    events: bigint;
    audit: bigint;
  }>(
    `select (select sum(ledger_points)::bigint from balance) as points,
       (select count(*) from allotment) as allotments,
       (select sum(remaining)::bigint from lot) as lots,
       (select count(*) from outbox_event) as events,
       (select count(*) from audit_entry where action = 'customer.merged') as audit`,
  );
  return row;
}

test("a manager sees what a merge comes to, nothing is written, and then it comes to that", async () => {
  const kept = await make({ name: "Kept", tags: ["a"] });
  const removed = await make({
    ...{ name: "Removed", nameReading: "りむ", email: "removed@example.com", birthday: "1990-01-01", tags: ["b"] },
  });
  await post(kept, 100);
  await daysLater(40);
  await post(removed, 70);
  await post(removed, 30);
  await manager.put(`/customers/${removed}/tier`, { tier: "Gold" });
  await manager.post(`/customers/${removed}/notes`, { request_uid: randomUUID(), text: "of the other" });
  const before = await written();
  expect((await preview(kept, removed, support)).status).toBe(403);
  const told = await shown(kept, removed);
  expect(told).toMatchObject({
    kept: { available: 100, tier: "Bronze", tags: ["a"], notes: 0, lots: 1 },
    removed: { available: 100, tier: "Gold", tags: ["b"], notes: 1, lots: 2 },
    after: { id: kept, name: "Kept", email: "removed@example.com", birthday: "1990-01-01", available: 200 },
  });
  expect(told.after).toMatchObject({ name_reading: "りむ", tier: "Gold", tags: ["a"], notes: 1, lots: 3 });
  expect(told.after.expiries.reduce((sum, { points }) => sum + points, 0)).toBe(200);
  expect(await written()).toEqual(before);
  expect((await head(removed)).id).toBe(removed);

  expect((await merge(kept, removed, told.seen, support)).status).toBe(403);
  expect((await merge(kept, removed, told.seen)).body).toEqual({ data: { id: kept, is_requested: false } });
  const { available: points, expiries, tags, tier, notes } = told.after;
  const now = await head(kept);
  expect(now).toMatchObject({ balance: { available: points }, expiries, tags, tier: { name: tier }, notes });
  expect((await head(removed)).id).toBe(kept);
  expect((await written())?.points).toBe(before?.points);
  const [entry] = await service.deps.db.query<{ text: string }>(
    "select after::text as text from audit_entry where action = 'customer.merged' and subject_id = $1",
    [kept],
  );
  expect(JSON.parse(entry?.text ?? "")).toMatchObject({
    merged: removed,
    point_value: 100,
    balance: 200,
    tier: "Gold",
  });
});

test("sent again, and many times at once, it is done once", async () => {
  const [kept, removed] = [await make(), await make()];
  await post(kept, 5);
  await post(removed, 11);
  const { seen } = await shown(kept, removed);
  const answers = await Promise.all([1, 2, 3, 4].map(() => merge(kept, removed, seen)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await merge(kept, removed, seen)).status).toBe(200);
  expect((await head(kept)).balance.available).toBe(16);
  const entries = await service.deps.db.query(
    "select 1 as one from audit_entry where action = 'customer.merged' and subject_id = $1",
    [kept],
  );
  expect(entries).toHaveLength(1);
});

test("of two people who merge the same two, each into the other, one does", async () => {
  const other = await signIn(service, "owner");
  const [a, b] = [await make(), await make()];
  await post(a, 3);
  await post(b, 4);
  const [there, back] = [await shown(a, b), await shown(b, a)];
  const answers = await Promise.all([merge(a, b, there.seen), merge(b, a, back.seen, other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  const [ofA, ofB] = [await head(a), await head(b)];
  expect(ofA.uid).toBe(ofB.uid);
  expect(ofA.balance.available).toBe(7);
});

test("a merge that would come to anything else than was shown is refused and writes nothing", async () => {
  const [kept, removed] = [await make({ name: "K" }), await make()];
  await post(removed, 40);
  const { seen } = await shown(kept, removed);
  await post(removed, 1);
  const before = await written();
  expect((await merge(kept, removed, seen)).status).toBe(409);
  expect(await written()).toEqual(before);
  const { seen: later } = await shown(kept, removed);
  await manager.put(`/customers/${kept}/profile`, { changes: { name: "L" }, seen: { name: "K" } });
  expect((await merge(kept, removed, later)).status).toBe(409);
  const { seen: unread } = await shown(kept, removed);
  await manager.put(`/customers/${removed}/profile`, {
    changes: { name_reading: "える" },
    seen: { name_reading: null },
  });
  expect((await merge(kept, removed, unread)).status).toBe(409);
  expect((await merge(removed, kept, (await shown(kept, removed)).seen)).status).toBe(409);
  expect((await head(removed)).balance.available).toBe(41);
});

test("one customer is not merged into itself, nor with nobody", async () => {
  const kept = await make();
  for (const [other, status] of [
    [kept, 422],
    ["nobody", 404],
  ] as const) {
    expect((await preview(kept, other)).status).toBe(status);
    expect((await merge(kept, other, "0".repeat(64))).status).toBe(status);
  }
});

describe("points come out exactly once", () => {
  // of points, and of holds below what there is
  const move = fc.record({
    side: fc.constantFrom(0, 1),
    points: fc.integer({ min: -30, max: 60 }),
    days: fc.integer({ min: 0, max: 200 }),
  });

  test("whatever happened before, and while it is done: both together have what the survivor has", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 20 }),
        async (moves, held) => {
          const ids: readonly [string, string] = [await make(), await make()];
          for (const { side, points, days } of moves) {
            service.clock.advance({ hours: 24 * days });
            if (points !== 0) await post(ids[side === 0 ? 0 : 1], points);
          }
          await daysLater(1);
          const hold = { customer_id: ids[1], point_value: held };
          if (held > 0) await service.client.post(`${API}/reservations`, hold);
          const heads = [await head(ids[0]), await head(ids[1])];
          const sum = (field: "available" | "held" | "owed") => heads[0].balance[field] + heads[1].balance[field];
          const told = await shown(ids[0], ids[1]);
          expect(told.after).toMatchObject({ available: sum("available"), held: sum("held"), owed: sum("owed") });
          expect(told.after.lots).toBe(told.kept.lots + told.removed.lots);
          const [done, given] = await Promise.all([merge(ids[0], ids[1], told.seen), post(ids[1], 7)]);
          expect(given).toBe(200);
          expect([200, 409]).toContain(done.status);
          if (done.status === 409)
            expect((await merge(ids[0], ids[1], (await shown(ids[0], ids[1])).seen)).status).toBe(200);
          const after = await head(ids[0]);
          expect(after.balance.available + after.balance.held).toBe(sum("available") + sum("held") + 7);
        },
      ),
      { numRuns: 10 },
    );
  });
});
