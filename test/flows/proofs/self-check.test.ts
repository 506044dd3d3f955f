import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSlice } from "../../../src/checkpoints/check-slice.ts";
import { runCheckpoints } from "../../../src/checkpoints/run-checkpoints.ts";
import { readSelfCheck } from "../../../src/checkpoints/self-check-queries.ts";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { checkNext } from "../../support/check-next.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signIn } from "../../support/staff.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
let customer: CustomerRow;
const logged: string[] = [];

/** Checks slices, each as if a minute had passed, until a whole pass began and ended. */
async function checkAll(): Promise<void> {
  const db = service.owner;
  const { passes } = await readSelfCheck(db);
  while ((await readSelfCheck(db)).passes < passes + 2n) {
    await db.execute("update self_check set checked_at = null");
    await checkNext(service.deps);
  }
}

const breaches = async () => (await readSelfCheck(service.deps.db)).breaches;

beforeAll(async () => {
  service = await startTestService({ worker: false, logLevel: "error", log: (line) => void logged.push(line) });
  customer = await makeCustomer(service.deps);
  for (const point_value of [100, 40, -30])
    expect(
      (
        await service.client.post("/api/storefront/point_allotments", {
          customer_id: customer.storefrontId,
          point_value,
        })
      ).status,
    ).toBe(200);
});
afterAll(() => service.stop());

test("finds nothing in a ledger that holds, in a bounded number of slices", async () => {
  let slices = 0;
  const db = service.owner;
  for (; (await readSelfCheck(db)).passes === 0n; slices++) {
    await db.execute("update self_check set checked_at = null");
    await checkNext(service.deps);
  }
  expect(slices).toBeLessThanOrEqual(64);
  expect(await readSelfCheck(db)).toMatchObject({ breaches: [], passes: 1n, passEndedAt: expect.anything() });
  expect(logged).toEqual([]);
});

test("one node takes a slice, once a minute", async () => {
  await service.owner.execute("update self_check set checked_at = null, next_bucket = 0");
  await checkNext(service.deps);
  const { buckets } = await readSelfCheck(service.deps.db);
  await checkNext(service.deps);
  expect((await readSelfCheck(service.deps.db)).buckets).toBe(buckets);
  // a clock that was ahead, and is not any more
  await service.owner.execute("update self_check set checked_at = clock_timestamp() + interval '1 year'");
  await checkNext(service.deps);
  const { checkedAt } = await readSelfCheck(service.deps.db);
  expect(checkedAt?.epochMilliseconds).toBeLessThan(Date.now() + 60_000);
});

test("a slice that cannot be checked does not count as checked, and the next one is smaller", async () => {
  const db = service.owner;
  const before = "2026-01-01T00:00:00Z";
  await db.execute("update self_check set checked_at = $1, next_bucket = 0, buckets_a_slice = 8", [before]);
  const failing = {
    name: "failing",
    says: "never",
    text: "select 1 / ($1::integer - $1) from balance where bucket < $2",
  };
  await expect(checkSlice(service.deps, [failing])).rejects.toThrow("division by zero");
  expect(await readSelfCheck(db)).toMatchObject({ checkedAt: Temporal.Instant.from(before), buckets: 0 });
  expect(await db.query("select buckets_a_slice as size from self_check")).toEqual([{ size: 4 }]);
  await checkNext(service.deps);
  expect((await readSelfCheck(db)).buckets).toBe(4);
});

test("what was changed by hand is kept, logged and shown until a whole pass finds it no more; points go on", async () => {
  const db = service.owner;
  await db.execute("update allotment set type = 'manual' where version = 2");
  await checkAll();
  expect(await breaches()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^chains: customer ${customer.storefrontId} \\(.*\\): version 2 is the first that is not what was written$`,
      ),
    ),
  ]);
  expect(logged.join("")).toContain("the ledger or a setting does not hold");
  const award = { customer_id: customer.storefrontId, point_value: 5 };
  expect((await service.client.post("/api/storefront/point_allotments", award)).status).toBe(200);
  const owner = await signIn(service, "owner");
  expect((await owner.get("/home")).body.data.health.ledger_breaches).toBe(1);
  await db.execute("update allotment set type = 'api' where version = 2");
  await checkAll();
  expect(await breaches()).toEqual([]);
  expect((await owner.get("/home")).body.data.health.ledger_breaches).toBe(0);
});

const GIVEN_TIER = "0190a7e2-0000-7000-8000-00000000aaaa";
const OF_CUSTOMER = "from balance where customer_uid = $1";

test.each([
  [
    "a tier that nobody gave",
    `insert into customer_tier (bucket, customer_uid, tier_uid, changed_at) select bucket, customer_uid, '${GIVEN_TIER}', now() ${OF_CUSTOMER}`,
    "delete from customer_tier where customer_uid = $1",
    /^tiers: customer \S+ \(.*\): the tier is 0190a7e2/,
  ],
  [
    "the posting of an order without its allotment",
    `insert into order_posting (order_id, cause, type, bucket, customer_uid, wanted, taken, outcome, version)
      select '1', 'adjust/1/9', 'adjustment', bucket, customer_uid, 100, 90, 'posted', 99 ${OF_CUSTOMER}`,
    "delete from order_posting where customer_uid = $1",
    /^order postings: customer \S+ \(.*\): adjust\/1\/9 of order 1 took 90 at version 99/,
  ],
  [
    "a debt that no order caused",
    "update balance set owed_points = 7 where customer_uid = $1",
    "update balance set owed_points = 0 where customer_uid = $1",
    /^debts: customer \S+ \(.*\): orders, payments and settlements leave a debt of 0; the balance says 7$/,
  ],
  [
    "the role of a person, with triggers turned off",
    "update staff set role = 'support' where role = 'owner' and $1::uuid is not null",
    "update staff set role = 'owner' where role = 'support' and $1::uuid is not null",
    /^settings: staff .*: role is "support"; the audit log says "owner"$/,
  ],
])("%s is a breach, until it is put right", async (_what, plant, undo, found) => {
  const byHand = (statement: string) =>
    service.owner.tx(async (tx) => {
      await tx.execute("set local session_replication_role = replica");
      await tx.execute(statement, [customer.customerUid]);
    });
  await byHand(plant);
  await checkAll();
  expect(await breaches()).toContainEqual(expect.stringMatching(found));
  await byHand(undo);
  await checkAll();
  expect(await breaches()).toEqual([]);
});

test("a checkpoint that cannot be signed over what was altered is a breach", async () => {
  await waitUntil(async () => {
    await runCheckpoints(service.deps);
    // nothing settles while a transaction older than it is open, on this server's other databases too
    const [newest] = await service.owner.query<{ entries: bigint }>("select max(entries) as entries from checkpoint");
    return (newest?.entries ?? 0n) > 0n;
  });
  await service.owner.tx(async (tx) => {
    await tx.execute("set local session_replication_role = replica");
    await tx.execute("delete from audit_entry where id = (select min(id) from audit_entry)");
  });
  await runCheckpoints(service.deps);
  expect(await breaches()).toEqual([expect.stringMatching(/^checkpoints: /)]);
  expect(logged.join("")).toContain("no checkpoint was signed");
});

test("its row taken away is a breach, and Home goes on", async () => {
  await service.owner.execute("delete from self_check");
  const owner = await signIn(service, "owner");
  const { status, body } = await owner.get("/home");
  expect([status, body.data.health.ledger_breaches]).toEqual([200, 1]);
});
