import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { type Posting, plainPosting } from "../../../src/ledger/posting.ts";
import { LOTS_FINGERPRINT } from "../../../src/ledger/verify/lots-fingerprint.ts";
import type { AllotmentPass } from "../../../src/ledger/verify/pass-allotments.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { passWith } from "../../support/pass-with.ts";
import { startTestService, type TestService } from "../../support/service.ts";

/** Faults planted by SQL on a customer that earned 100, spent 30 and 40 and earned 50 again: the check that must name it. */
const FAULTS = [
  ["versions", "an allotment is gone", "delete from allotment where customer_uid = $1 and version = 3"],
  ["versions", "the balance is at another version", "update balance set version = version + 1 where customer_uid = $1"],
  [
    "balances",
    "the balance is one point off",
    "update balance set ledger_points = ledger_points + 1 where customer_uid = $1",
  ],
  [
    "balances",
    "an allotment's value was changed",
    "update allotment set point_value = point_value - 1 where customer_uid = $1 and version = 2",
  ],
  [
    "balance_after",
    "a balance_after was changed",
    "update allotment set balance_after = balance_after + 1 where customer_uid = $1 and version = 2",
  ],
  [
    "times",
    "two allotments have one time",
    "update allotment a set allotted_at = b.allotted_at from allotment b where b.bucket = a.bucket and b.customer_uid = a.customer_uid and b.version = 1 and a.customer_uid = $1 and a.version = 2",
  ],
  [
    "times",
    "the last time is another",
    "update balance set last_allotted_at = (last_allotted_at at time zone 'UTC' + interval '1 second') at time zone 'UTC' where customer_uid = $1",
  ],
  [
    "times",
    "the activity is another",
    "update balance set active_at = (active_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where customer_uid = $1",
  ],
  ["times", "the first earning is gone", "update balance set earned_at = null where customer_uid = $1"],
  [
    "lots",
    "a lot holds one point more",
    "update lot set remaining = remaining + 1 where customer_uid = $1 and version = 1",
  ],
  ["lots", "a lot is gone", "delete from lot where customer_uid = $1 and version = 4"],
  [
    "lots",
    "a deduction has a lot",
    "insert into lot (bucket, customer_uid, since, version, remaining, extends) select bucket, customer_uid, active_at, 2, 5, false from balance where customer_uid = $1",
  ],
  [
    "draws",
    "a draw is one point short",
    "update draw set points = points - 1 where customer_uid = $1 and by_version = 2",
  ],
  ["draws", "a draw is gone", "delete from draw where customer_uid = $1 and by_version = 3"],
  [
    "draws",
    "a draw took from a later lot",
    "update draw set lot_version = 4 where customer_uid = $1 and by_version = 2",
  ],
  [
    "draws",
    "a credit drew",
    "insert into draw (bucket, customer_uid, by_version, n, lot_version, part, points, lot_expires_at, lot_since, lot_extends) select bucket, customer_uid, 4, 0, 1, 0, 1, 'infinity', lot_since, lot_extends from draw where customer_uid = $1 and by_version = 2",
  ],
  ["lot_dates", "a lot says another origin", "update lot set origin = 'sale' where customer_uid = $1 and version = 4"],
  [
    "lot_dates",
    "a draw says another origin",
    "update draw set lot_origin = 'sale' where customer_uid = $1 and by_version = 2",
  ],
  ["lot_dates", "a lot is another part", "update lot set part = 1 where customer_uid = $1 and version = 4"],
  [
    "lot_dates",
    "a lot counts from a time whose halves, taken together, are the same",
    `update lot
    set since = ('2000-01-01'::timestamp
      + make_interval(secs => (((extract(epoch from since at time zone 'UTC') - 946684800) * 1000000)::bigint # 4294967297) / 1000000.0))
      at time zone 'UTC'
    where customer_uid = $1 and version = 4`,
  ],
  [
    "dates",
    "the oldest lot is another",
    "update balance set oldest_since = (oldest_since at time zone 'UTC' + interval '1 day') at time zone 'UTC' where customer_uid = $1",
  ],
  [
    "dates",
    "a date of its own is not known",
    "update balance set soonest_expires_at = '2030-01-01Z' where customer_uid = $1",
  ],
  [
    "dates",
    "the sweep would find it a day too late",
    "update balance set expiry_from_on = expiry_from_on + 1 where customer_uid = $1",
  ],
  ["dates", "the sweep would never find it", "update balance set expiry_from_on = null where customer_uid = $1"],
  ["customers", "the customer is gone", "delete from customer where customer_uid = $1"],
  [
    "customers",
    "the balance says that they were deleted",
    "update balance set is_deleted = true where customer_uid = $1",
  ],
  ["customers", "the balance of an id is gone", "delete from balance where customer_uid = $1"],
] as const;

const SEED = 8_123_456_789_012_345_678n;

let service: TestService;
const victims: CustomerRow[] = [];
let whole: CustomerRow;
const before: string[] = [];
const after: string[] = [];
const passes: AllotmentPass[] = [];
let wholePass: AllotmentPass;
/** Whether the fingerprint of lots finds each fault alone. */
const suspects: boolean[] = [];
let isSuspectBefore = true;
const OF_LOTS = ["lots", "draws", "lot_dates"];
const HISTORY = ["versions", "balances", "balance_after", "times"];

function step(pointValue: bigint): Posting {
  const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
  return { ...plainPosting(service.deps.random.uid(), "api", "test", change), extends: "credit" };
}

/** Plants a fault, looks at the fingerprint of all lots, and takes the fault back. */
async function isSuspectWith(statement: string, customerUid: string): Promise<boolean> {
  const rolledBack = new Error("rolled back");
  let found = false;
  const planted = service.owner.tx(async (tx) => {
    await tx.execute(statement, [customerUid]);
    found = (await tx.query(LOTS_FINGERPRINT, [0, 255, SEED])).length > 0;
    throw rolledBack;
  });
  await expect(planted).rejects.toBe(rolledBack);
  return found;
}

async function makeVictim(): Promise<CustomerRow> {
  const customer = await makeCustomer(service.deps);
  const postings = [100n, -30n, -40n, 50n].map((value) => ({ customer, posting: step(value) }));
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, postings));
  return customer;
}

/** A customer with points that brought dates, and those of another who was merged into them. */
async function makeMerged(): Promise<void> {
  const [kept, removed] = [await makeVictim(), await makeVictim()];
  const earnedAt = Temporal.Now.instant().subtract({ hours: 24 });
  const posting = { ...step(70n), earnedAt, expiresAt: earnedAt.add({ hours: 24 * 90 }) };
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer: kept, posting }]));
  await mergeInto(service.deps, removed.storefrontId, kept.storefrontId);
}

describe("pointkeeper verify", () => {
  beforeAll(async () => {
    service = await startTestService({ worker: false });
    for (const _ of FAULTS) victims.push(await makeVictim());
    whole = await makeVictim();
    await makeMerged();
    isSuspectBefore = await isSuspectWith("select $1::uuid", whole.customerUid);
    await verifyLedger(service.deps.db, (line) => before.push(line));
    wholePass = await passWith(service.owner, null, { key: null });
    for (const [i, [, , plant]] of FAULTS.entries()) {
      const planted = { statements: [plant], customerUid: victims[i]?.customerUid ?? "" };
      passes.push(await passWith(service.owner, planted, { key: null }));
      suspects.push(await isSuspectWith(plant, planted.customerUid));
    }
    for (const [i, [, , plant]] of FAULTS.entries()) {
      const planted = await service.owner.execute(plant, [victims[i]?.customerUid ?? ""]);
      expect(planted).toBeGreaterThan(0);
    }
    await verifyLedger(service.deps.db, (line) => after.push(line));
  });
  afterAll(() => service.stop());

  test("finds nothing where everything holds, and says what it checked", () => {
    expect(before.filter((line) => line.startsWith("FAIL"))).toEqual([]);
    expect(before.filter((line) => line.startsWith("ok")).length).toBeGreaterThanOrEqual(8);
    expect(before.at(-1)).toContain(`${FAULTS.length + 3} customers, ${4 * (FAULTS.length + 3) + 4} allotments`);
  });

  test("the fingerprint of lots finds nothing where everything holds", () => {
    expect(isSuspectBefore).toBe(false);
  });

  test.each(FAULTS.map(([check, what], i) => [check, what, i] as const))("%s: %s", (check, _what, i) => {
    const victim = victims[i];
    const found = after.filter((line) => line.includes(victim?.customerUid ?? "?"));
    expect(found.map((line) => line.split(":")[0])).toContain(`FAIL ${check}`);
  });

  test("a pass over all allotments vouches for a ledger that holds", () => {
    expect(wholePass).toEqual({ areHistoriesClean: true, areChainsClean: false });
  });

  test.each(FAULTS.map(([check, what], i) => [check, what, i] as const).filter(([check]) => HISTORY.includes(check)))(
    "the pass vouches for no history with a fault: %s: %s",
    (_check, _what, i) => {
      expect(passes[i]?.areHistoriesClean).toBe(false);
    },
  );

  test.each(FAULTS.map(([check, what], i) => [check, what, i] as const).filter(([check]) => OF_LOTS.includes(check)))(
    "the fingerprint of lots finds it alone: %s: %s",
    (_check, _what, i) => {
      expect(suspects[i]).toBe(true);
    },
  );

  test("names no customer that holds", () => {
    expect(after.filter((line) => line.includes(whole.customerUid))).toEqual([]);
  });

  test("finds the same in several workers", async () => {
    const lines: string[] = [];
    await verifyLedger(service.deps.db, (line) => lines.push(line), [], { workers: 3 });
    expect(lines.toSorted()).toEqual(after.toSorted());
  });

  test("says that it is not ok", async () => {
    const result = await verifyLedger(service.deps.db, () => {});
    expect(result.ok).toBe(false);
    expect(result.faults).toBeGreaterThanOrEqual(FAULTS.length);
  });
});
