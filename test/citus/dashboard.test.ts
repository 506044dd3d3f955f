import { afterAll, beforeAll, expect, test } from "vitest";
import { customerWithPoints } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// Pages whose statements read tables of the workers beside those of the coordinator.

let service: TestService;
let owner: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await customerWithPoints(service, 30);
  owner = await signIn(service, "owner");
});
afterAll(() => service.stop());

test("Home is shown", async () => {
  const { status, body } = await owner.get("/home");
  expect(status).toBe(200);
  expect(body.data.health.ledger_breaches).toBe(0);
});
