import { afterAll, beforeAll, expect, test } from "vitest";
import { makeExports } from "../../src/exports/make-exports.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { signIn } from "../support/staff.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-10T00:00:00Z" });
  await makeCustomer(service.deps, { storefrontId: "41", email: "one@example.com" });
  await service.client.post("/api/storefront/point_allotments", { customer_id: "41", point_value: 12 });
});
afterAll(() => service.stop());

test("a statement: asked for once in 8 hours, listed with who and how large, fetched with the session", async () => {
  const manager = await signIn(service, "manager");
  const support = await signIn(service, "support");
  const march = { start_date: "2026-03-01", end_date: "2026-03-31" };
  expect((await support.post("/exports", march)).status).toBe(403);
  const wrong = await manager.post("/exports", { start_date: "March", end_date: "2026-03-31" });
  expect([wrong.status, wrong.body.errors[0].source]).toEqual([422, { pointer: "/start_date" }]);
  const backwards = await manager.post("/exports", { start_date: "2026-03-31", end_date: "2026-03-01" });
  expect(backwards.status).toBe(422);

  const asked = await manager.post("/exports", march);
  expect(asked.status).toBe(202);
  expect(asked.body).toMatchObject({
    data: [{ state: "processing", requested_by: expect.stringContaining("manager"), row_count: null, byte_count: 0 }],
    next: null,
    next_request_at: "2026-03-10T08:00:00.000000Z",
  });
  const soon = await manager.post("/exports", march);
  expect([soon.status, soon.headers.get("retry-after")]).toEqual([429, "28800"]);
  const { uid } = asked.body.data[0];
  expect((await manager.get(`/exports/${uid}/file`)).status).toBe(404);

  await makeExports(service.deps);
  const [ready] = (await support.get("/exports")).body.data;
  expect(ready).toMatchObject({ uid, state: "ready", row_count: 1, start_at: "2026-02-28T15:00:00.000000Z" });
  const file = await manager.get(`/exports/${uid}/file`);
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="points-2026-03-01-2026-03-31.csv"');
  expect(Buffer.byteLength(file.text)).toBe(ready.byte_count);
  expect(file.text).toMatch(/\r\n41,one@example\.com,/);
  expect((await support.get(`/exports/${uid}/file`)).status).toBe(403);
  const downloads = await service.deps.db.query("select actor_name, subject_id from audit_entry where action = $1", [
    "export.downloaded",
  ]);
  expect(downloads).toEqual([{ actor_name: expect.stringContaining("manager"), subject_id: uid }]);
  const entries = await service.deps.db.query("select subject_id from audit_entry where action = 'export.requested'");
  expect(entries).toEqual([{ subject_id: uid }]);
});

test("an `after` that is no position in the list of exports or imports is refused", async () => {
  const manager = await signIn(service, "manager");
  for (const path of ["/exports", "/imports"]) {
    const { status, body } = await manager.get(`${path}?after=first`);
    expect([status, body.errors[0].source]).toEqual([422, { parameter: "after" }]);
    expect((await manager.get(`${path}?after=01980000-0000-7000-8000-000000000000`)).body.data).toEqual([]);
  }
});

test("a request of a clock that was ahead does not hold up the next one until then", async () => {
  const march = { start_date: "2026-03-01", end_date: "2026-03-31" };
  service.clock.set("2999-03-20T00:00:00Z");
  const { status, text } = await service.client.post("/api/storefront/point_balances/export", {
    start_datetime: "2026-03-01",
    end_datetime: "2026-03-31",
  });
  expect(status, text).toBe(202);
  service.clock.set("2026-03-20T00:00:00Z");
  const manager = await signIn(service, "manager");
  expect((await manager.get("/exports")).body.next_request_at).toBeNull();
  expect((await manager.post("/exports", march)).status).toBe(202);
  expect((await manager.post("/exports", march)).status).toBe(429);
});

test("a request counts at a node whose clock is hours behind that of the node that took it", async () => {
  const now = Temporal.Now.instant();
  service.clock.set(now.toString());
  const march = { start_date: "2026-03-01", end_date: "2026-03-31" };
  expect((await (await signIn(service, "manager")).post("/exports", march)).status).toBe(202);
  service.clock.set(now.subtract({ hours: 2 }).toString());
  expect((await (await signIn(service, "manager")).post("/exports", march)).status).toBe(429);
});
