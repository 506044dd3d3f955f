import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyProgram } from "../../src/program/apply-program.ts";
import { API, explain, ledgerOf, yen } from "../support/explain.ts";
import { type IntakeService, startIntakeService } from "../support/intake.ts";

describe("as_of gives the answer of that moment", () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), points: fc.integer({ min: -300, max: 500 }) }),
    fc.record({ kind: fc.constant("set" as const), points: fc.integer({ min: 0, max: 900 }) }),
    fc.record({ kind: fc.constant("days" as const), days: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant("delay" as const), months: fc.constantFrom(1, 2, 6, null) }),
    fc.record({ kind: fc.constant("coupon" as const), points: fc.integer({ min: 1, max: 200 }) }),
    fc.record({
      kind: fc.constant("hold" as const),
      points: fc.integer({ min: 1, max: 200 }),
      seconds: fc.integer({ min: 60, max: 4_000_000 }),
    }),
    fc.record({ kind: fc.constant("tier" as const), tier: fc.constantFrom("Bronze", "Silver"), skip: fc.boolean() }),
    fc.record({ kind: fc.constant("floor" as const), floor: fc.constantFrom("Bronze", null) }),
    fc.record({ kind: fc.constant("order" as const), price: fc.integer({ min: 100, max: 60_000 }) }),
  );
  const RULES = [
    { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
    { name: "Silver", default: false, currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
  ];
  let service: IntakeService;
  beforeAll(async () => {
    const program = { store: { currency: "JPY" }, tiers: { rules: RULES } };
    service = await startIntakeService({ now: "2026-03-01T00:00:00Z", program });
  });
  afterAll(() => service.stop());

  async function run(
    id: string,
    n: number,
    step: typeof action extends fc.Arbitrary<infer A> ? A : never,
  ): Promise<void> {
    const { client } = service;
    switch (step.kind) {
      case "add":
        if (step.points !== 0)
          await client.post(`${API}/point_allotments`, { customer_id: id, point_value: step.points });
        return;
      case "set":
        await client.post(`${API}/point_balances/${id}/set_balance`, { balance: step.points });
        return;
      case "days":
        service.clock.advance({ hours: 24 * step.days });
        return;
      case "delay":
        await applyProgram(service.deps, {
          document: { expiration: { delay_months: step.months } },
          author: "test",
          isDryRun: false,
        });
        return;
      case "coupon":
        await client.post(`${API}/coupons`, { customer_id: id, point_value: step.points });
        return;
      case "hold":
        await client.post(`${API}/reservations`, {
          customer_id: id,
          point_value: step.points,
          ttl_seconds: step.seconds,
        });
        return;
      case "tier":
        await client.post(`${API}/point_balances/${id}/tiers`, { tier: step.tier, skip_next_check: step.skip });
        return;
      case "floor":
        await client.post(`${API}/point_balances/${id}/tiers`, { minimum_tier: step.floor });
        return;
      case "order": {
        const line = { line_id: `${id}-${n}`, quantity: 1 };
        const payload = { order_id: `${id}-${n}`, customer_id: id, lines: [{ ...line, unit_price: yen(step.price) }] };
        const fulfillment = { fulfillment_id: `${id}-${n}`, lines: [line] };
        await client.post("/intake/events", [
          { type: "OrderPaid", payload },
          { type: "OrderFulfilled", payload: { order_id: `${id}-${n}`, fulfillment } },
        ]);
        await service.drain();
      }
    }
  }

  test("balance, expiry and tier, in any history", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async (steps) => {
        const id = `as-of-${++count}`;
        const { client, clock } = service;
        await client.put(`${API}/customers/${id}`, {});
        const recorded: { at: string; balance: unknown; tier: unknown; lots: number }[] = [];
        for (const [n, step] of steps.entries()) {
          clock.advance({ seconds: 1 });
          await run(id, n, step);
          clock.advance({ seconds: 1 });
          const at = clock.now().toString();
          const [balance, tier] = await Promise.all(
            [`${API}/point_balances/${id}`, `${API}/point_balances/${id}/tier`].map((path) => client.get(path)),
          );
          const why = await client.get(`${API}/point_balances/${id}/explanation`);
          expect(why.body.data.point_balance).toEqual(balance?.body.data);
          recorded.push({ at, balance: balance?.body, tier: tier?.body, lots: why.body.data.lot_count });
        }
        for (const { at, balance, tier } of recorded) {
          expect((await client.get(`${API}/point_balance/${id}?as_of=${at}`)).body).toEqual(balance);
          expect((await client.get(`${API}/point_balances/${id}/tier?as_of=${at}`)).body).toEqual(tier);
          const why = await client.get(`${API}/point_balances/${id}/explanation?as_of=${at}`);
          expect({ data: why.body.data.point_balance }).toEqual(balance);
        }
      }),
      { numRuns: 12 },
    );
    const [held] = await service.deps.db.query<{ n: bigint }>("select count(*) as n from reservation");
    expect(held?.n).toBeGreaterThan(0n);
  });

  test("points that a reservation keeps beyond their date have that date until it ends", async () => {
    const { client, clock } = service;
    const id = "as-of-held";
    const days = (n: number) => clock.now().add({ hours: 24 * n });
    await client.put(`${API}/customers/${id}`, {});
    const points = { customer_id: id, point_value: 100, expires_at: days(10).toString() };
    expect((await client.post(`${API}/point_allotments`, points)).status).toBe(200);
    const held = { customer_id: id, point_value: 60, ttl_seconds: 30 * 86_400 };
    expect((await client.post(`${API}/reservations`, held)).status).toBe(200);
    const recorded: { at: string; points: number; body: unknown }[] = [];
    const read = async (query = "") => (await client.get(`${API}/point_balance/${id}${query}`)).body;
    for (let n = 0; n < 6; n++) {
      clock.advance({ hours: 24 * 7 });
      const body = await read();
      recorded.push({ at: clock.now().toString(), points: body.data.point_balance, body });
      if (n === 4) await client.post(`${API}/point_allotments`, { customer_id: id, point_value: 5 }); // writes what is over
      clock.advance({ seconds: 1 });
    }
    expect(recorded.map((one) => one.points)).toEqual([40, 0, 0, 0, 60, 65]);
    for (const { at, body } of recorded) expect(await read(`?as_of=${at}`)).toEqual(body);
  });

  test("a tier's deadline and requirements are those of the moment, its spend what is known of the orders by now", async () => {
    const { client, clock, deps } = service;
    const id = "as-of-cancelled";
    await client.put(`${API}/customers/${id}`, {});
    await run(id, 1, { kind: "order", price: 20_000 });
    const at = clock.now().toString();
    const read = async () => (await client.get(`${API}/point_balances/${id}/tier?as_of=${at}`)).body.data;
    const before = await read();
    expect(before).toMatchObject({ raw_amount: 30_000, advancement_data: { raw_amount: 30_000 } });
    clock.advance({ hours: 24 });
    const rules = RULES.map((rule) => ({ ...rule, currency_spent_requirement: rule.currency_spent_requirement * 2 }));
    const document = { tiers: { rules, period_months: 6, start_month: 2 } };
    await applyProgram(deps, { document, author: "test", isDryRun: false });
    expect(await read()).toEqual(before);
    const cancelled = { order_id: `${id}-1`, cancelled_at: clock.now().toString() };
    expect((await client.post("/intake/events", [{ type: "OrderCancelled", payload: cancelled }])).status).toBe(202);
    await service.drain();
    const after = await read();
    expect(after).toMatchObject({ raw_amount: 50_000, deadline: before.deadline });
    expect(after.advancement_data.spent_requirement).toEqual(before.advancement_data.spent_requirement);
    const back = { tiers: { rules: RULES, period_months: 1, start_month: 1 } };
    await applyProgram(deps, { document: back, author: "test", isDryRun: false });
  });

  test("a merge changes no answer of a moment before it, nor of one after", async () => {
    const { client, clock } = service;
    await applyProgram(service.deps, {
      document: { expiration: { delay_months: 12 } },
      author: "test",
      isDryRun: false,
    });
    const read = async (query = "") => (await client.get(`${API}/point_balances/kept${query}`)).body;
    for (const [id, points] of [
      ["kept", 100],
      ["gone", 50],
    ] as const) {
      clock.advance({ hours: 48 });
      await client.put(`${API}/customers/${id}`, {});
      await client.post(`${API}/point_allotments`, { customer_id: id, point_value: points });
    }
    clock.advance({ hours: 1 });
    const [before, beforeAt] = [await read(), clock.now()];
    clock.advance({ hours: 1 });
    const payload = { kept_id: "kept", removed_id: "gone" };
    await client.post("/intake/events", { type: "CustomerMerged", payload });
    await service.drain();
    clock.advance({ hours: 1 });
    const [after, afterAt] = [await read(), clock.now()];
    clock.advance({ hours: 1 });
    await client.post(`${API}/point_allotments`, { customer_id: "gone", point_value: -120 });
    expect(before.data.point_balance).toBe(100);
    expect(after.data.point_balance).toBe(150);
    expect(await read(`?as_of=${beforeAt}`)).toEqual(before);
    expect(await read(`?as_of=${afterAt}`)).toEqual(after);
    const ledger = await ledgerOf(client, "kept");
    const brought = await explain(client, ledger[1].uid);
    expect(brought).toMatchObject({ customer_id: "kept", point_value: 50, balance_after: 150 });
  });

  test("times to come, times that cannot be read, and times before the customer", async () => {
    await service.client.put(`${API}/customers/new`, {});
    for (const path of ["point_balances/new", "point_balances/new/tier", "point_balances/new/explanation"]) {
      const ask = async (asOf: string) => (await service.client.get(`${API}/${path}?as_of=${asOf}`)).status;
      expect(await ask(service.clock.now().add({ seconds: 1 }).toString())).toBe(422);
      expect(await ask("yesterday")).toBe(422);
      expect(await ask("2026-01-01T00:00:00Z")).toBe(404);
      expect(await ask(service.clock.now().toString())).toBe(200);
    }
  });
});
