import { afterAll, beforeAll, expect, test } from "vitest";
import { aggregateCustomerPoints } from "../../src/growth/aggregate-customer-points.ts";
import { aggregateGrowth } from "../../src/growth/aggregate-growth.ts";
import { verifyGrowth } from "../../src/growth/verify-growth.ts";
import { customerWithPoints, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

// Customers are on the coordinator, their points on the workers: the figures of growth join both.

const POINTS = "select coalesce(sum(gained - taken), 0)::int as points from growth_points";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

test("points by month joined, and customers, are counted on several nodes", async () => {
  const { deps } = service;
  const [kept = "", removed = ""] = [
    await customerWithPoints(service, 30),
    await customerWithPoints(service, 12),
    await customerWithPoints(service, 5),
  ];
  await mergeInto(deps, removed, kept);
  await waitUntil(async () => {
    await aggregateCustomerPoints(deps);
    const [row] = await deps.db.query<{ points: number }>(POINTS);
    return row?.points === 47;
  });
  expect(await aggregateGrowth(deps)).toBe(true);
  expect(await deps.db.query("select from growth_customer")).toHaveLength(2);
});

test("the figures are compared with the ledger of several nodes, and a wrong one is told", async () => {
  const { deps, owner } = service;
  const told: string[] = [];
  expect(await verifyGrowth(deps, (line) => told.push(line)), told.join()).toBe(true);
  await owner.execute("update growth_points set gained = gained + 1");
  expect(await verifyGrowth(deps, (line) => told.push(line))).toBe(false);
  expect(told).toContainEqual(expect.stringMatching(/^FAIL figures: points of month joined /));
});
