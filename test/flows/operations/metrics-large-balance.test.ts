import { afterAll, beforeAll, expect, test } from "vitest";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { parseExpiring } from "../../../src/metrics/customer-metrics.ts";
import { LARGE_LOTS } from "../../../src/metrics/customer-queries.ts";
import { verifyMetrics } from "../../../src/metrics/verify-metrics.ts";
import { aggregateAll } from "../../support/aggregate-all.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
});
afterAll(() => service.stop());

test("a balance of many lots is looked at again after a pause, and once for all that came meanwhile", async () => {
  const { deps } = service;
  const hot = await makeCustomer(deps);
  const give = (count: number) => {
    const postings = Array.from({ length: count }, (_, n) => {
      const change = { kind: "add", pointValue: 10n, shortfall: "refuse" } as const;
      const expiresAt = deps.clock.now().add({ hours: 24 * 400 + n });
      return { customer: hot, posting: { ...plainPosting(deps.random.uid(), "api", "test", change), expiresAt } };
    });
    return deps.db.tx((tx) => postAllotments(tx, deps, postings));
  };
  const counted = async () => {
    const [row] = await deps.db.query<{ expiring: string }>(
      "select expiring from figure_customer where customer_uid = $1",
      [hot.customerUid],
    );
    return [...parseExpiring(row?.expiring ?? "").values()].reduce((sum, points) => sum + points, 0n);
  };
  const pause = (interval: string) =>
    deps.db.execute("update figure_large set looked_at = now() - $1::text::interval", [interval]);
  await give(LARGE_LOTS);
  await aggregateAll(deps);
  const first = await counted();
  await pause("-1 hour");
  await give(1);
  await aggregateAll(deps);
  await give(1);
  await aggregateAll(deps);
  expect(await counted()).toBe(first);
  expect(await verifyMetrics(deps, () => undefined)).toBe(true);
  await pause("1 hour");
  await aggregateAll(deps);
  expect(await counted()).toBe(first + 20n);
  expect(await verifyMetrics(deps, () => undefined)).toBe(true);
});
