import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../support/client.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

let service: IntakeService;

beforeAll(async () => {
  service = await startIntakeService({ program: { store: { currency: "JPY" } } });
});
afterAll(() => service.stop());
afterEach(async () => {
  await service.drain();
  await service.owner.execute("delete from receipt");
});

function post(body: unknown, headers?: Record<string, string>): Promise<Answer> {
  return service.client.post("/intake/events", body, headers);
}

const good = (id: string) => ({ type: "CustomerUpserted", delivery_key: `key-${id}`, payload: { customer_id: id } });
const bad = { type: "OrderPaid", delivery_key: "bad", payload: { lines: [{ quantity: "2" }] } };

describe("a batch with bad events among good ones", () => {
  test("207: the good ones are taken, each bad one is refused with pointers into the batch", async () => {
    const answer = await post({ events: [good("M-1"), bad, good("M-2"), { type: "Unknown", payload: {} }] });
    expect(answer.status).toBe(207);
    const [first, second, third, fourth] = answer.body.data;
    expect([first, third]).toEqual([
      { delivery_key: "key-M-1", status: "new" },
      { delivery_key: "key-M-2", status: "new" },
    ]);
    expect(second).toMatchObject({ delivery_key: "bad", status: "refused", error_count: 4 });
    expect(second.errors.map((error: { source: object }) => error.source)).toContainEqual({
      pointer: "/events/1/payload/order_id",
    });
    expect(second.errors[0]).toMatchObject({
      status: "422",
      title: "Invalid value",
      code: "invalid",
      detail: expect.any(String),
    });
    expect(fourth).toMatchObject({ status: "refused", errors: [{ source: { pointer: "/events/3/type" } }] });
    await service.drain();
    expect((await service.receipts()).map(({ state }) => state)).toEqual(["done", "done"]);
    expect((await service.client.get("/api/storefront/point_balance/M-2")).status).toBe(200);
  });

  test("with Prefer: wait it comes once the good ones are processed; a replay by key is the same", async () => {
    const headers = { "idempotency-key": "mixed" };
    const answer = await post([bad, good("M-3")], headers);
    expect([answer.status, (await post([bad, good("M-3")], headers)).text]).toEqual([207, answer.text]);
    await service.drain();
    const later = await post([bad, good("M-3")], { prefer: "wait=5" });
    expect(later.status).toBe(207);
    expect(later.body.data.map(({ status }: { status: string }) => status)).toEqual(["refused", "done"]);
    expect(later.headers.get("preference-applied")).toBe("wait=5");
  });

  test("all or none with Prefer: handling=strict, and where no event is good", async () => {
    const strict = await post([good("M-4"), bad], { prefer: "handling=strict, wait=2" });
    expect([strict.status, strict.body.errors.length]).toEqual([422, 4]);
    expect((await post([bad, bad])).status).toBe(422);
    expect((await post(bad)).status).toBe(422);
    expect(await service.receipts()).toEqual([]);
    const whole = await post([good("M-4")], { prefer: "handling=strict" });
    expect([whole.status, whole.headers.get("preference-applied")]).toEqual([202, "handling=strict"]);
  });

  test("100 faults are written out, the first of each event before others, all are counted; texts are cut", async () => {
    const long = { ...bad, payload: { ["x".repeat(5_000)]: 1 } };
    const many = Array.from({ length: 60 }, () => bad);
    const answer = await post([...many, long, good("M-5")]);
    const refused = answer.body.data.slice(0, 61);
    const counts: number[] = refused.map(({ errors }: { errors: object[] }) => errors.length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(Math.min(...counts)).toBe(1);
    expect(refused.every((one: { error_count: number }) => one.error_count >= 2)).toBe(true);
    for (const { detail, source } of refused[60].errors) {
      expect(detail.length).toBeLessThanOrEqual(200);
      expect(source.pointer.length).toBeLessThanOrEqual(200);
    }
  });
});
