import { afterAll, beforeAll, expect, test } from "vitest";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { readMonthSums } from "../../../src/messages/read-month-sums.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const POINTS_MAX = 2n ** 53n - 1n;
const ROUNDS = 1_030; // more than 2^63 points in all

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
});
afterAll(() => service.stop());

test("sums of a month beyond 2^63 are the largest number, and the other customers have theirs", async () => {
  const { deps } = service;
  const [huge, other] = [await makeCustomer(deps), await makeCustomer(deps)];
  const give = (customer: typeof huge, pointValue: bigint) => {
    const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
    return { customer, posting: plainPosting(deps.random.uid(), "api", "test", change) };
  };
  const rounds = Array.from({ length: ROUNDS }, () => [give(huge, POINTS_MAX), give(huge, -POINTS_MAX)]);
  await deps.db.tx((tx) => postAllotments(tx, deps, [...rounds.flat(), give(other, 7n)]));
  const [start, end] = [deps.clock.now(), deps.clock.now().add({ hours: 24 })];
  const sums = await readMonthSums(deps.db, [huge, other], { start, end });
  const largest = 2n ** 63n - 1n;
  expect(sums.get(huge.customerUid)).toEqual({ earned: largest, used: largest, expired: 0n });
  expect(sums.get(other.customerUid)).toEqual({ earned: 7n, used: 0n, expired: 0n });
});
