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

test("the ledger is listed, summed and written to a file by several types", async () => {
  const of = "type=api,manual";
  expect((await owner.get(`/ledger?${of}`)).body.data).toHaveLength(1);
  expect((await owner.get(`/ledger/totals?${of}`)).body.data).toMatchObject({ count: 1, earned: 30 });
  expect((await owner.get(`/ledger.csv?${of}`)).text.trim().split("\n")).toHaveLength(2);
});
