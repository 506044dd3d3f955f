import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API, explain, ledgerOf, yen } from "../support/explain.ts";
import { type IntakeService, startIntakeService } from "../support/intake.ts";

describe("other allotments", () => {
  let service: IntakeService;
  beforeAll(async () => {
    service = await startIntakeService({ now: "2026-03-01T00:00:00Z", program: { expiration: { delay_months: 2 } } });
    await service.client.put(`${API}/customers/1`, {});
  });
  afterAll(() => service.stop());

  test("the interface: who asked, with which reason and note", async () => {
    const reason = { type: "compensation", note: "late parcel" };
    const made = await service.client.post(`${API}/point_allotments`, { customer_id: "1", point_value: 500, reason });
    const { credential } = (await explain(service.client, made.body.data.uid)).asked_by;
    const data = await explain(service.client, made.body.data.uid);
    expect(data.asked_by).toEqual({
      app_reference: credential,
      credential,
      actor: null,
      reason_type: "compensation",
      note: "late parcel",
    });
    expect(data.order).toBeNull();
    expect(data.words[2]).toBe(`Requested with the credential "${credential}".`);
    expect(data.words[3]).toBe("Reason: Compensation, late parcel.");
  });

  test("a coupon, and its points that came back", async () => {
    service.clock.advance({ minutes: 1 });
    const coupon = (await service.client.post(`${API}/coupons`, { customer_id: "1", point_value: 200 })).body.data;
    const [, debit] = await ledgerOf(service.client, "1");
    const taken = await explain(service.client, debit.uid);
    expect(taken.coupon).toMatchObject({ id: coupon.id, code: coupon.code, point_value: 200, state: "open" });
    service.clock.advance({ minutes: 1 });
    await service.client.delete(`${API}/coupons/${coupon.code}`);
    const ledger = await ledgerOf(service.client, "1");
    const back = await explain(service.client, ledger.at(-1).uid);
    expect(back).toMatchObject({ type: "coupon_cancellation", point_value: 200, coupon: { state: "cancelled" } });
    expect(back.words).toContain("It was not used, and its points came back.");
    const credit = await explain(service.client, ledger[0].uid);
    expect(credit.used_by).toEqual([expect.objectContaining({ points: 200, uid: debit.uid })]);
  });

  test("an expiration: which lots, their dates, which setting and activity", async () => {
    const [credit] = await ledgerOf(service.client, "1");
    service.clock.set("2026-05-03T00:00:00Z");
    await service.client.post(`${API}/point_allotments`, { customer_id: "1", point_value: 10 });
    const ledger = await ledgerOf(service.client, "1");
    const gone = ledger.find(({ type }: { type: string }) => type === "expiration");
    const data = await explain(service.client, gone.uid);
    expect(data).toMatchObject({ point_value: -500, asked_by: { app_reference: "pointkeeper", credential: null } });
    expect(data.expiration).toMatchObject({ mode: "sliding", delay_months: 2, sweep: "daily" });
    expect(data.expiration.active_at).toBe("2026-03-01T00:01:00.000000Z");
    const lots = data.expiration.lots.map((lot: { uid: string; points: number; expired_at: string }) => [
      lot.uid === credit.uid,
      lot.points,
      lot.expired_at,
    ]);
    expect(lots).toEqual([
      [true, 300, "2026-05-01T15:00:00.000000Z"],
      [false, 200, "2026-05-01T15:00:00.000000Z"],
    ]);
    expect(data.words).toContain("The service posted it by itself.");
    expect(data.words).toContain("A balance expires 2 months after the last activity, which was on 1 Mar 2026, 09:01.");
  });

  test("what is not there, and what cannot be asked", async () => {
    const { client } = service;
    const missing = "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884";
    for (const uid of [missing, "nonsense"]) {
      expect((await client.get(`${API}/point_allotments/uid/${uid}/explanation`)).status).toBe(404);
    }
    expect((await client.get(`${API}/point_balances/nobody/explanation`)).status).toBe(404);
    expect((await client.get(`${API}/point_balances/nobody/tier/explanation`)).status).toBe(404);
    expect((await client.get(`${API}/point_balances/1/explanation?language=fr`)).status).toBe(422);
    const webhooksOnly = await client.as(null).get(`${API}/point_balances/1/explanation`);
    expect(webhooksOnly.status).toBe(401);
  });

  test("points on hold: the others expire on their days, and only those that activity moves are said to get more time", async () => {
    const give = (customer_id: string, extra: object) =>
      service.client.post(`${API}/point_allotments`, { customer_id, point_value: 100, ...extra });
    const saidOf = async (id: string) => {
      const { data } = (await service.client.get(`${API}/point_balances/${id}/explanation`)).body;
      return [data.account.expiries.map(({ points }: { points: number }) => points), data.account.later, data.words];
    };
    const more = "An order before then gives them more time.";
    for (const [id, ownDate] of [
      ["h1", "2026-12-01T00:00:00Z"], // after those that move
      ["h2", "2026-06-01T00:00:00Z"], // before them
    ] as const) {
      await service.client.put(`${API}/customers/${id}`, {});
      await give(id, {});
      await give(id, { expires_at: ownDate });
      expect((await saidOf(id))[2].includes(more)).toBe(id === "h1");
      const held = await service.client.post(`${API}/reservations`, {
        customer_id: id,
        point_value: 130,
        ttl_seconds: 60,
      });
      expect(held.status).toBe(200);
      const [expiries, later, words] = await saidOf(id);
      expect([expiries, later]).toEqual([[70], 0]);
      expect(words).toContainEqual(expect.stringMatching(/^The 70 points expire on /));
      expect(words.includes(more)).toBe(id === "h2");
    }
  });

  test("a balance: what came and went by type, and the lots that are left, each with its source and date", async () => {
    const { body } = await service.client.get(`${API}/point_balances/1/explanation`);
    expect(body.data).toMatchObject({ opening: 0, ledger_points: 10, held_points: 0, due_points: 0, lot_count: 1 });
    expect(body.data.point_balance).toMatchObject({ id: "1", point_balance: 10 });
    const sums = body.data.by_type.map(({ type, points }: { type: string; points: number }) => [type, points]);
    expect(sums).toEqual([
      ["api", 310],
      ["coupon_cancellation", 200],
      ["expiration", -500],
    ]);
    expect(body.data.lots).toEqual([
      expect.objectContaining({
        type: "api",
        point_value: 10,
        remaining: 10,
        expires_at: "2026-07-03T15:00:00.000000Z",
      }),
    ]);
    const since = await service.client.get(`${API}/point_balances/1/explanation?since=2026-04-01&language=ja`);
    expect(since.body.data).toMatchObject({ opening: 500, ledger_points: 10 });
    expect(since.body.data.words.slice(0, 2)).toEqual([
      "2026/05/03 9:00 の時点でご利用いただけるのは 10 ポイントです。",
      "2026/04/01 0:00 の残高は 500 でした。",
    ]);
    // due, and not written off yet
    service.clock.set("2026-07-04T00:00:00Z");
    const due = await service.client.get(`${API}/point_balances/1/explanation`);
    expect(due.body.data).toMatchObject({ ledger_points: 10, due_points: 10, point_balance: { point_balance: 0 } });
    expect(due.body.data.words.join(" ")).toContain("10 points have reached their date");
  });

  test("a tier: the change that led to it, the floor, and the spend with its orders", async () => {
    const rules = [
      { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
      { name: "Silver", default: false, currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
    ];
    await service.stop();
    service = await startIntakeService({ now: "2026-07-04T00:00:00Z", program: { tiers: { rules } } });
    await service.client.put(`${API}/customers/1`, {});
    await service.client.post(`${API}/point_balances/1/tiers`, { tier: "Silver", minimum_tier: "Silver" });
    const payload = { order_id: "o", customer_id: "1", lines: [{ line_id: "l", quantity: 1, unit_price: yen(8_000) }] };
    const shipped = { fulfillment_id: "f", lines: [{ line_id: "l", quantity: 1 }] };
    await service.client.post("/intake/events", [
      { type: "OrderPaid", payload },
      { type: "OrderFulfilled", payload: { order_id: "o", fulfillment: shipped } },
    ]);
    await service.drain();
    const { body } = await service.client.get(`${API}/point_balances/1/tier/explanation`);
    expect(body.data).toMatchObject({
      tier: "Silver",
      minimum_tier: "Silver",
      last_change: { from: "Bronze", to: "Silver", cause: "api" },
      spent: { amount: "8000", raw_amount: 8_000 },
      orders: [{ id: "o", spend: 8_000 }],
      to_keep: { raw_amount: 42_000 },
      next_tier: null,
    });
    expect(body.data.words).toContain("Checks do not go below Silver.");
    expect(body.data.words).toContain("To keep Silver: ¥42,000 more.");
    expect(body.data.words).toContain("There is no higher tier.");
  });
});
