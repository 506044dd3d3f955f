import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "../../../src/db/pool.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const CUSTOMERS = 50;
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2024-03-10T03:00:00Z" });
});
afterAll(() => service.stop());

/** Gives customers points, lets them fall due, and answers how many transactions a sweep takes to write them off. */
async function sweptIn(isBusy: boolean): Promise<number> {
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(service.deps)));
  const posting = () =>
    plainPosting(service.deps.random.uid(), "api", "test", { kind: "add", pointValue: 10n, shortfall: "refuse" });
  await service.deps.db.tx((tx) =>
    postAllotments(
      tx,
      service.deps,
      customers.map((customer) => ({ customer, posting: posting() })),
    ),
  );
  service.clock.advance({ hours: 24 * 400 });
  let transactions = 0;
  const { db } = service.deps;
  const counted: Db = {
    ...db,
    tx: (work) => {
      transactions++;
      return db.tx(work);
    },
  };
  const deps = { ...service.deps, db: counted, postings: { ...service.deps.postings, isBusy: () => isBusy } };
  expect(await expirePoints(deps)).toBe(CUSTOMERS);
  return transactions;
}

test("a sweep takes everybody at once when nothing else goes on, and few at a time while requests are posting", async () => {
  expect(await sweptIn(false)).toBe(1);
  expect(await sweptIn(true)).toBe(3);
});

test("the queue is busy from a request on", async () => {
  const { storefrontId } = await makeCustomer(service.deps);
  expect(service.deps.postings.isBusy()).toBe(false);
  await service.client.post("/api/storefront/point_allotments", { customer_id: storefrontId, point_value: 1 });
  expect(service.deps.postings.isBusy()).toBe(true);
});
