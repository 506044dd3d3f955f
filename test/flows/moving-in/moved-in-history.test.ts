import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { HISTORY_ENTRIES_MAX, type HistoryEntry } from "../../../src/history/history.ts";
import { selectHistory } from "../../../src/history/history-queries.ts";
import { recordHistory } from "../../../src/history/record-history.ts";
import { removeHistory } from "../../../src/history/remove-history.ts";
import { readLedgerKey } from "../../../src/ledger/key/ledger-key-queries.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { checkLedger, type LedgerFault } from "../../../src/ledger/verify/check-ledger.ts";
import { erasePerson } from "../../../src/privacy/erase-person.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { API, explain } from "../../support/explain.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";

const APP = "Other Points";
let service: TestService;
let viewer: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
  viewer = await signIn(service, "viewer");
});
afterAll(() => service.stop());

const at = (text: string) => Temporal.Instant.from(text);
const uid = () => service.deps.random.uid();
const last = at("9999-01-01T00:00:00Z");

function entry(
  { bucket, customerUid }: CustomerRow,
  importUid: string,
  [n, occurredAt, kind, points]: readonly [number, string, HistoryEntry["kind"], bigint],
): HistoryEntry {
  const occurred = at(occurredAt);
  return { bucket, customerUid, importUid, n: BigInt(n), occurredAt: occurred, kind, points, source: APP, note: null };
}

const record = (entries: readonly HistoryEntry[]) => service.deps.db.tx((tx) => recordHistory(tx, entries));
const read = (customer: CustomerRow, limit = 100) =>
  selectHistory(service.deps.db, customer, { at: last, id: "~", limit });

/** As an import of another app's points posts them. */
async function moveIn(customer: CustomerRow, points: bigint, dates: { expiresAt?: string; earnedAt?: string } = {}) {
  const change = { kind: "add", pointValue: points, shortfall: "refuse" } as const;
  const posting = {
    ...plainPosting(uid(), "csv", APP, change),
    origin: "migration" as const,
    expiresAt: dates.expiresAt === undefined ? null : at(dates.expiresAt),
    earnedAt: dates.earnedAt === undefined ? null : at(dates.earnedAt),
  };
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
  return posting.uid;
}

async function faults(): Promise<LedgerFault[]> {
  const { deps } = service;
  const key = await readLedgerKey(deps.db, deps);
  if (key === null) throw new Error("the store has a key from its start");
  const found: LedgerFault[] = [];
  await checkLedger(deps.db, { key, onFault: (fault) => found.push(fault) });
  return found;
}

async function withHistory(): Promise<{ customer: CustomerRow; importUid: string }> {
  const customer = await makeCustomer(service.deps);
  const importUid = uid();
  await record([
    entry(customer, importUid, [1, "2024-05-01T00:00:00Z", "earned", 5_000n]),
    entry(customer, importUid, [2, "2025-05-01T00:00:00Z", "earned", 200n]),
    entry(customer, importUid, [3, "2025-06-01T00:00:00Z", "used", -4_900n]),
  ]);
  return { customer, importUid };
}

describe("what another app says happened before", () => {
  test("is no part of the balance; the explanation begins with it, in both languages", async () => {
    const { customer } = await withHistory();
    await moveIn(customer, 300n);
    const path = `${API}/point_balances/${customer.storefrontId}`;
    expect((await service.client.get(path)).body.data.point_balance).toBe(300);
    const { data } = (await service.client.get(`${path}/explanation`)).body;
    expect(data.history).toEqual([
      {
        ...{ source: APP, before: "2026-03-01T00:30:00.000000Z", earned: 5_200, used: 4_900, expired: 0 },
        ...{ adjusted: 0, moved_in: 300 },
      },
    ]);
    expect(data.words[1]).toMatch(/^Before .*2026.* at Other Points: earned 5,200, used 4,900; moved in: 300\.$/);
    const ja = (await service.client.get(`${path}/explanation?language=ja`)).body.data.words;
    expect(ja[1]).toMatch(/より前の「Other Points」での記録: 獲得 5,200、利用 4,900。移行されたポイント: 300。$/);
    expect(await faults()).toEqual([]);
  });

  test("is listed newest first, page by page, each entry once", async () => {
    const customer = await makeCustomer(service.deps);
    const importUid = uid();
    const entries = Array.from({ length: 120 }, (_, i) =>
      entry(customer, importUid, [
        i,
        `2025-01-${String(1 + (i % 20)).padStart(2, "0")}T00:00:00Z`,
        "earned",
        BigInt(i),
      ]),
    );
    await record(entries);
    const seen: { occurred_at: string; points: number; id: string }[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page = await viewer.get(
        `/customers/${customer.storefrontId}/history${next === "" ? "" : `?after=${encodeURIComponent(next)}`}`,
      );
      expect(page.status).toBe(200);
      seen.push(...page.body.data);
      next = page.body.next;
    }
    expect(seen.map(({ points }) => points).toSorted((a, b) => a - b)).toEqual(entries.map((_, i) => i));
    const times = seen.map(({ occurred_at }) => occurred_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test("written twice it is there once; of one customer no more than the bound is kept, and what is left out is told", async () => {
    const customer = await makeCustomer(service.deps);
    const importUid = uid();
    const entries = Array.from({ length: HISTORY_ENTRIES_MAX - 1 }, (_, i) =>
      entry(customer, importUid, [i, "2025-01-01T00:00:00Z", "earned", 1n]),
    );
    expect(await record(entries)).toEqual([]);
    const again = entries.slice(0, 1);
    expect(await record(again)).toEqual([]);
    const more = [1, 2, 3].map((n) => entry(customer, uid(), [n, "2025-01-02T00:00:00Z", "used", -1n]));
    expect(await record(more)).toEqual(more.slice(1));
    expect(await read(customer, 20_000)).toHaveLength(HISTORY_ENTRIES_MAX);
  });

  test("goes with a merge, is removed by its import wherever it is, and is erased with the person", async () => {
    const [one, two] = [await withHistory(), await withHistory()];
    await moveIn(one.customer, 300n);
    await moveIn(two.customer, 20n);
    await mergeInto(service.deps, one.customer.storefrontId, two.customer.storefrontId);
    const { data } = (await service.client.get(`${API}/point_balances/${two.customer.storefrontId}/explanation`)).body;
    expect(data.history).toMatchObject([{ earned: 10_400, used: 9_800, moved_in: 320 }]);
    expect([await read(one.customer), (await read(two.customer)).length]).toEqual([[], 6]);
    const remove = () => service.deps.db.tx((tx) => removeHistory(tx, { importUid: one.importUid, limit: 2 }));
    expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0]);
    expect(await read(two.customer)).toHaveLength(3);
    const person = { rows: [two.customer], orderIds: [], emails: [] };
    await service.deps.db.tx((tx) => erasePerson(tx, service.deps, person));
    expect(await read(two.customer)).toEqual([]);
  });

  test("is part of what is handed out of a person, with the dates of the points", async () => {
    const { customer } = await withHistory();
    await moveIn(customer, 10n, { expiresAt: "2027-01-01T00:00:00Z", earnedAt: "2020-01-01T00:00:00Z" });
    const { data } = (await service.client.get(`${API}/customers/${customer.storefrontId}/data`)).body;
    expect(data.history.map(({ points }: { points: number }) => points)).toEqual([5_000, 200, -4_900]);
    expect(data.point_allotments).toMatchObject([
      { earned_at: "2020-01-01T00:00:00.000000Z", own_expiry: "2027-01-01T00:00:00.000000Z" },
    ]);
  });
});

describe("points that were moved in", () => {
  test("say in their explanation and in the timeline where they are from, when they were earned and when they go", async () => {
    const customer = await makeCustomer(service.deps);
    const allotment = await moveIn(customer, 10n, {
      expiresAt: "2027-01-01T00:00:00Z",
      earnedAt: "2020-01-01T00:00:00Z",
    });
    const explained = await explain(service.client, allotment);
    expect(explained).toMatchObject({
      earned_at: "2020-01-01T00:00:00.000000Z",
      own_date: "2027-01-01T00:00:00.000000Z",
    });
    expect(explained.words).toContain(`The points were moved in from ${APP}.`);
    expect(explained.words).toContainEqual(expect.stringMatching(/^They have their own expiry date, .*2027/));
    const { body } = await viewer.get(`/customers/${customer.storefrontId}/ledger`);
    expect(body.data).toMatchObject([
      { app_reference: APP, origin: "migration", own_date: "2027-01-01T00:00:00.000000Z" },
    ]);
  });

  test("keep their dates through a merge, and get a later one when a hold outlasts them; the ledger holds", async () => {
    const [kept, removed] = [await makeCustomer(service.deps), await makeCustomer(service.deps)];
    await moveIn(removed, 40n, { expiresAt: "2026-06-01T00:00:00Z" });
    await moveIn(kept, 30n, { expiresAt: "2026-05-01T00:00:00Z" });
    await mergeInto(service.deps, removed.storefrontId, kept.storefrontId);
    const path = `${API}/point_balances/${kept.storefrontId}`;
    const expiries = (await service.client.get(`${path}/expiries`)).body.data;
    expect(expiries).toEqual([
      { expires_at: "2026-05-01T15:00:00.000000Z", point_value: 30 },
      { expires_at: "2026-06-01T15:00:00.000000Z", point_value: 40 },
    ]);
    const hold = { customer_id: kept.storefrontId, point_value: 30, ttl_seconds: 31_536_000 };
    const { data } = (await service.client.post(`${API}/reservations`, hold)).body;
    service.clock.set("2026-05-10T00:00:00Z");
    expect(await faults()).toEqual([]);
    expect((await service.client.post(`${API}/reservations/${data.id}/release`)).status).toBe(200);
    expect((await service.client.get(path)).body.data.point_balance).toBe(70);
    expect(await faults()).toEqual([]);
  });
});
