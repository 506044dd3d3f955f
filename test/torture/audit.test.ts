import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { makeFolder } from "../support/service-process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { audit, type Findings } from "./audit.ts";
import { feedEventOf } from "./feed-readers.ts";
import { type Call, type FeedEvent, type Journal, openJournal } from "./journal.ts";

let service: TestService;
let folder: { path: string; remove(): Promise<void> };
beforeAll(async () => {
  service = await startTestService();
  folder = await makeFolder();
  await service.client.put("/api/storefront/customers/1", { name: "A customer" });
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const VERIFIED = { code: 0, stdout: "", stderr: "" };

/** An audit of what is in the ledger beside what `write` puts into a journal. */
async function audited(write: (journal: Journal) => void, verified = VERIFIED): Promise<Findings> {
  const path = join(folder.path, "journal");
  rmSync(path, { force: true });
  const journal = openJournal(path);
  for (const { uid } of await service.deps.db.query<{ uid: string }>(
    "select uid from allotment where point_value <> 0",
  ))
    journal.delivered(uid, true);
  write(journal);
  return audit({ db: service.deps.db, command: async () => verified }, journal);
}

const callOf = (mark: string): Call => ({ mark, customer: "1", hasKey: true });

async function award(mark: string) {
  const { body } = await service.client.post("/api/storefront/point_allotments", {
    customer_id: "1",
    point_value: 10,
    reason: { type: "system_fix", note: mark },
  });
  return {
    kind: "acknowledged" as const,
    uid: body.data.id,
    points: 10,
    balance: body.data.point_balance.point_balance,
  };
}

test("a journal that agrees with the ledger has no findings", async () => {
  const answer = await award("agrees");
  const found = await audited((journal) => journal.end(callOf("agrees"), answer));
  expect(found).toMatchObject({ acknowledged: 1, lost: 0, doubled: 0, phantom: 0, undelivered: 0, details: [] });
});

test("what was acknowledged and is not there as answered is lost", async () => {
  const answer = await award("lost");
  const other = { ...answer, uid: "00000000-0000-4000-8000-000000000000" };
  expect(await audited((journal) => journal.end(callOf("never"), other))).toMatchObject({ lost: 1 });
  expect(await audited((journal) => journal.end(callOf("lost"), { ...answer, points: 11 }))).toMatchObject({ lost: 1 });
  expect(await audited((journal) => journal.end(callOf("lost"), { ...answer, balance: 1 }))).toMatchObject({ lost: 1 });
  expect(await audited((journal) => journal.order("no such order", 5))).toMatchObject({ lost: 1 });
  expect(await audited((journal) => journal.row("no such row", 5))).toMatchObject({ lost: 1 });
});

test("what is there twice, or was refused and is there, is doubled", async () => {
  await award("twice");
  const answer = await award("twice");
  expect(await audited((journal) => journal.end(callOf("twice"), answer))).toMatchObject({ doubled: 1 });
  expect(await audited((journal) => journal.row("twice", 10))).toMatchObject({ doubled: 1 });
  await award("refused");
  const refused = (journal: Journal) => journal.end(callOf("refused"), { kind: "refused", status: 400 });
  expect(await audited(refused)).toMatchObject({ doubled: 1 });
});

test("a coupon or a reservation that costs more than it should is lost points, one that costs less is points twice", async () => {
  await award("to spend");
  const { body: bought } = await service.client.post("/api/storefront/coupons", { customer_id: "1", point_value: 4 });
  const hold = { customer_id: "1", point_value: 3, ttl_seconds: 60 };
  const { body: held } = await service.client.post("/api/storefront/reservations", hold);
  await service.client.post(`/api/storefront/reservations/${held.data.id}/capture`, { point_value: 2 });
  const ids = [`coupon/${bought.data.id}`, `hold/${held.data.id}`];
  const spent = (points: readonly number[]) => (journal: Journal) => {
    for (const [n, id] of ids.entries()) journal.spend(id, points[n] ?? 0);
  };
  expect(await audited(spent([-4, -2]))).toMatchObject({ spendings: 2, lost: 0, doubled: 0, details: [] });
  expect(await audited(spent([0, -1]))).toMatchObject({ lost: 2, doubled: 0 });
  expect(await audited(spent([-5, -3]))).toMatchObject({ lost: 0, doubled: 2 });
  await service.client.delete(`/api/storefront/coupons/${bought.data.code}`);
  expect(await audited(spent([0, -2]))).toMatchObject({ lost: 0, doubled: 0 });
});

/** All events, once the last one is settled. */
async function readFeed(): Promise<FeedEvent[]> {
  const [row] = await service.deps.db.query<{ count: number }>("select count(*)::int as count from allotment");
  let events: FeedEvent[] = [];
  await waitUntil(async () => {
    events = (await service.client.get("/api/storefront/events?limit=250")).body.data.map(feedEventOf);
    return events.length === row?.count;
  });
  return events;
}

test("events that a reader of the feed lacks, has twice, out of order, or otherwise than the ledger are found", async () => {
  for (const mark of ["read first", "read second", "read third"]) await award(mark);
  const events = await readFeed();
  const changed = events.map((event, n) => (n === 1 ? { ...event, balance: event.balance + 1 } : event));
  const swapped = events.toSpliced(0, 2, ...events.slice(0, 2).toReversed());
  const feedOf = async (read: readonly FeedEvent[]) => (await audited((journal) => journal.read("pages", read))).feed;
  const agrees = { due: events.length, read: events.length, lost: 0, doubled: 0, invented: 0, misplaced: 0 };
  expect(events.length).toBeGreaterThan(2);
  expect(await feedOf(events)).toEqual(agrees);
  expect(await feedOf(events.toSpliced(1, 1))).toEqual({ ...agrees, read: agrees.read - 1, lost: 1 });
  expect(await feedOf([...events, ...events.slice(-1)])).toEqual({ ...agrees, read: agrees.read + 1, doubled: 1 });
  expect(await feedOf(swapped)).toEqual({ ...agrees, misplaced: 1 });
  expect(await feedOf(changed)).toEqual({ ...agrees, invented: 1 });
  expect(await feedOf([])).toEqual({ ...agrees, read: 0, lost: events.length });
  const found = await audited((journal) => journal.read("pages", events.slice(1)));
  expect(found.details).toEqual([`pages of the feed: never read: ${events[0]?.uid}`]);
});

test("an answer that no fault explains is a finding, whatever was sent", async () => {
  const found = await audited((journal) => journal.fault("/api/storefront/coupons", 500, "no"));
  expect(found).toMatchObject({ faults: 1, details: ["/api/storefront/coupons: 500 no"] });
});

test("deliveries of nothing, missing deliveries, bad signatures and a failed verification are found", async () => {
  await award("delivered");
  const phantom = await audited((journal) => journal.delivered("11111111-0000-4000-8000-000000000000", false));
  expect(phantom).toMatchObject({ phantom: 1, unsigned: 1 });
  const path = join(folder.path, "empty");
  const silent = await audit({ db: service.deps.db, command: async () => VERIFIED }, openJournal(path));
  expect(silent.undelivered).toBeGreaterThan(0);
  const broken = await audited(() => {}, { code: 1, stdout: "FAIL balances: one\nok   lots", stderr: "" });
  expect(broken).toMatchObject({ unverified: 1 });
});
