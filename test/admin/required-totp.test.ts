import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { STAFF_PASSWORD, signIn } from "../support/staff.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false, config: { secondFactorRoles: ["owner", "manager"] } });
});
afterAll(() => service.stop());

test("a role that must have a second factor does nothing before it is on; others are not asked", async () => {
  const manager = await signIn(service, "manager");
  expect((await manager.get("/session")).body.data).toMatchObject({ totp_needed: true, permissions: [] });
  for (const { status, body } of [
    await manager.get("/home"),
    await manager.post("/session/confirm", { password: STAFF_PASSWORD }),
    await manager.post("/webhooks/subscriptions/rotate", { topic: "point_balance/update" }),
  ])
    expect([status, body.errors[0].title]).toEqual([403, "Turn two-step sign-in on first"]);
  expect((await manager.put("/account", { language: "ja" })).status).toBe(200);

  const { secret } = (await manager.post("/account/totp")).body.data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });
  expect((await manager.put("/account/totp", { code, current_password: STAFF_PASSWORD })).status).toBe(200);
  expect((await manager.get("/home")).status).toBe(200);
  expect((await manager.get("/session")).body.data.totp_needed).toBe(false);
  const support = await signIn(service, "support");
  expect((await support.get("/home")).status).toBe(200);
});
