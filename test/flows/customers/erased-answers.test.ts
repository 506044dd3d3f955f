import { afterAll, beforeAll, expect, test } from "vitest";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

const API = "/api/storefront";
const ERASED = "ann.other@example.co";
const OTHERS = ["joann.other@example.co", "ann.other@example.com", "x+ann.other@example.co"];

let service: IntakeService;
beforeAll(async () => {
  service = await startIntakeService({ log: () => {} });
});
afterAll(() => service.stop());

async function tell(type: string, payload: object): Promise<void> {
  await service.client.post("/intake/events", { type, occurred_at: service.deps.clock.now().toString(), payload });
  await service.drain();
}

const setBalance = (address: string) =>
  service.client.post(
    `${API}/point_balances/${encodeURIComponent(address)}/set_balances`,
    { balance: 100 },
    { "idempotency-key": `set-${address}` },
  );

test("erasing a person keeps the answers of others whose addresses contain theirs, so that no request runs twice", async () => {
  const { client, deps } = service;
  for (const email of [ERASED, ...OTHERS]) {
    await tell("CustomerUpserted", { customer_id: `id-${email}`, email });
    expect((await setBalance(email)).status).toBe(200);
  }
  await tell("CustomerDeleted", { customer_id: `id-${ERASED}`, reason: "redacted" });
  const kept = await deps.db.query<{ key: string }>("select key from idempotency order by created_at, key");
  expect(kept.map(({ key }) => key).sort()).toEqual(OTHERS.map((email) => `set-${email}`).sort());
  for (const email of OTHERS) {
    await client.post(`${API}/point_allotments`, { customer_id: email, point_value: -40 });
    expect((await setBalance(email)).headers.get("idempotent-replayed")).toBe("true");
    const balance = await client.get(`${API}/point_balances/${encodeURIComponent(email)}`);
    expect(balance.body.data.point_balance).toBe(60);
  }
});
