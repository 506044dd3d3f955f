import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLedgerKey } from "../../src/ledger/key/ledger-key-queries.ts";
import { checkLedger, type LedgerFault } from "../../src/ledger/verify/check-ledger.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const API = "/api/storefront";
const PATH = `${API}/point_allotments`;
const NOW = "2026-03-01T00:30:00Z";
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: "2026-01-01T00:00:00Z",
    program: { expiration: { mode: "per_allotment" } },
  });
});
afterAll(() => service.stop());

const balanceOf = async (id: string) => (await service.client.get(`${API}/point_balances/${id}`)).body.data;
const give = (id: string, body: object) => service.client.post(PATH, { customer_id: id, ...body });

async function faults(): Promise<LedgerFault[]> {
  const { deps } = service;
  const key = await readLedgerKey(deps.db, deps);
  if (key === null) throw new Error("the store has a key from its start");
  const found: LedgerFault[] = [];
  await checkLedger(deps.db, { key, onFault: (fault) => found.push(fault) });
  return found;
}

describe("points that bring their dates", () => {
  test("expire at their own date; a date is all of that day; null is as the program says", async () => {
    service.clock.set(NOW);
    const { storefrontId: id } = await makeCustomer(service.deps);
    const dated = await give(id, { point_value: 30, expires_at: "2026-05-05" });
    expect([dated.status, dated.body.data.point_balance.expires_at]).toEqual([200, "2026-05-05T15:00:00.000000Z"]);
    const plain = await service.client.post(PATH, {
      customer_id: id,
      point_value: 7,
      expires_at: null,
      earned_at: null,
    });
    expect(plain.body.data.point_balance).toMatchObject({
      point_balance: 37,
      expires_at: "2026-05-05T15:00:00.000000Z",
    });
    const { body } = await service.client.get(`${API}/point_balances/${id}/expiries`);
    expect(body.data).toEqual([
      { expires_at: "2026-05-05T15:00:00.000000Z", point_value: 30 },
      { expires_at: "2027-03-01T15:00:00.000000Z", point_value: 7 },
    ]);
    service.clock.set("2026-05-05T14:59:59Z");
    expect(await balanceOf(id)).toMatchObject({ point_balance: 37 });
    service.clock.set("2026-05-05T15:00:00Z");
    expect(await balanceOf(id)).toMatchObject({ point_balance: 7 });
  });

  test("earned long ago, they expire by when they were earned, and are taken first", async () => {
    service.clock.set(NOW);
    const { storefrontId: id } = await makeCustomer(service.deps);
    await give(id, { point_value: 10 });
    const old = await give(id, { point_value: 20, earned_at: "2025-04-10T10:00:00+09:00" });
    expect(old.body.data.point_balance).toMatchObject({ point_balance: 30, expires_at: "2026-04-10T15:00:00.000000Z" });
    await give(id, { point_value: -15 });
    const { body } = await service.client.get(`${API}/point_balances/${id}/expiries`);
    expect(body.data).toEqual([
      { expires_at: "2026-04-10T15:00:00.000000Z", point_value: 5 },
      { expires_at: "2027-03-01T15:00:00.000000Z", point_value: 10 },
    ]);
  });

  const refusals: readonly (readonly [string, object, string, string])[] = [
    [
      "an expiry that has passed",
      { expires_at: "2026-03-01T00:30:00Z" },
      "/expires_at",
      "expected a time in the future",
    ],
    [
      "one too far ahead",
      { expires_at: "2126-03-01T00:30:01Z" },
      "/expires_at",
      "expected a time at most 100 years ahead",
    ],
    ["no time", { expires_at: "soon" }, "/expires_at", "expected an ISO 8601 date-time or date, or null"],
    ["a number", { earned_at: 5 }, "/earned_at", "expected an ISO 8601 date-time or date, or null"],
    [
      "an earning to come",
      { earned_at: "2026-03-01T00:30:00.000001Z" },
      "/earned_at",
      "expected a time that is not in the future",
    ],
    ["one before 1970", { earned_at: "1969-12-31T14:59:59Z" }, "/earned_at", "expected a time in 1970 or later"],
    [
      "one whose points have expired",
      { earned_at: "2024-01-01" },
      "/earned_at",
      "expected a time whose points have not expired by the program's settings, or an expires_at with it",
    ],
    [
      "a deduction with a date",
      { point_value: -1, expires_at: "2027-01-01" },
      "/expires_at",
      "expected only with a point_value above 0",
    ],
  ];
  test.each(refusals)("%s is 422, names the field and changes nothing", async (_what, body, pointer, detail) => {
    service.clock.set(NOW);
    const { storefrontId: id } = await makeCustomer(service.deps);
    await give(id, { point_value: 10 });
    const answer = await give(id, { point_value: 5, ...body });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [expect.objectContaining({ detail, source: { pointer } })],
    ]);
    expect(await balanceOf(id)).toMatchObject({ point_balance: 10 });
  });

  test("the last moments of the bounds are taken, and an old earning with an expiry of its own", async () => {
    service.clock.set(NOW);
    const { storefrontId: id } = await makeCustomer(service.deps);
    for (const body of [
      { expires_at: "2126-03-01T00:30:00Z" },
      { expires_at: "2026-03-01T00:30:00.000001Z" },
      { earned_at: NOW },
      { earned_at: "1970-01-01T00:00:00Z", expires_at: "2027-01-01" },
    ])
      expect((await give(id, { point_value: 1, ...body })).status).toBe(200);
  });

  test("the dates belong to the request that an Idempotency-Key names", async () => {
    service.clock.set(NOW);
    const { storefrontId: id } = await makeCustomer(service.deps);
    const body = { customer_id: id, point_value: 5, expires_at: "2026-09-01" };
    const key = { "idempotency-key": "dates-1" };
    const first = await service.client.post(PATH, body, key);
    expect((await service.client.post(PATH, body, key)).body).toEqual(first.body);
    const other = await service.client.post(PATH, { ...body, expires_at: "2026-09-02" }, key);
    expect(other.status).toBe(422);
    expect(await balanceOf(id)).toMatchObject({ point_balance: 5 });
  });

  test("are not moved by a later setting, nor by activity where expiry slides", async () => {
    service.clock.set(NOW);
    const { storefrontId: id } = await makeCustomer(service.deps);
    await give(id, { point_value: 10, expires_at: "2026-04-10T00:00:00Z" });
    const document = { expiration: { mode: "sliding", delay_months: 24 } };
    await applyProgram(service.deps, { document, author: "test", isDryRun: false });
    await give(id, { point_value: 5 });
    expect((await balanceOf(id)).expires_at).toBe("2026-04-10T15:00:00.000000Z");
    const earned = await give(id, { point_value: 1, earned_at: "2001-01-01" }); // sliding: counts from now
    expect(earned.status).toBe(200);
  });

  test("the ledger holds with them", async () => {
    expect(await faults()).toEqual([]);
  });
});
