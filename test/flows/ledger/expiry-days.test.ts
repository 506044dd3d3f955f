import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { selectDuePage } from "../../../src/ledger/expiry/due-queries.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { nextExpiryAt } from "../../../src/ledger/expiry/next-expiry-at.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { type Change, plainPosting } from "../../../src/ledger/posting.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { stopVerified } from "../../support/stop-verified.ts";

/** The day by which the sweep finds a balance: docs/decisions/0009. */
let service: TestService;
let customer: CustomerRow;

beforeAll(async () => {
  service = await startTestService({
    worker: false,
    program: { store: { time_zone: "Asia/Tokyo" }, expiration: { delay_months: 3, mode: "sliding" } },
  });
});
afterAll(() => stopVerified(service));
beforeEach(async () => {
  service.clock.set(service.clock.now().add({ hours: 24 * 400 }));
  await expirePoints(service.deps);
  customer = await makeCustomer(service.deps);
});

function days(count: number): void {
  service.clock.advance({ hours: 24 * count });
}

async function post(to: CustomerRow, change: Change, isExtending = true): Promise<void> {
  const plain = plainPosting(service.deps.random.uid(), "api", "test", change);
  const posting = { ...plain, extends: isExtending ? ("credit" as const) : ("never" as const) };
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer: to, posting }]));
}

const add = (pointValue: bigint): Change => ({ kind: "add", pointValue, shortfall: "refuse" });

interface Row {
  readonly day: string | null;
  readonly real: string | null;
  readonly points: bigint;
}

async function row({ customerUid }: CustomerRow): Promise<Row> {
  const [found] = await service.deps.db.query<Row>(
    `select expiry_from_on as day,
  case when oldest_since is not null then (greatest(active_at, oldest_since) at time zone 'UTC')::date end as real,
  ledger_points as points
from balance
where customer_uid = $1`,
    [customerUid],
  );
  if (found === undefined) throw new Error("the balance is gone");
  return found;
}

const today = () => service.clock.now().toString().slice(0, 10);

async function foundBySweep(): Promise<string[]> {
  const page = await selectDuePage(service.deps.db, "day", { after: null, until: today(), rows: 100 });
  return page.map(({ customerUid }) => customerUid);
}

describe("the day by which the sweep finds a balance", () => {
  test("stands from the start, and points that come, go and come again leave it alone", async () => {
    const first = today();
    expect(await row(customer)).toMatchObject({ day: first, real: null });
    days(5);
    await post(customer, add(100n));
    days(5);
    await post(customer, add(10n));
    expect(await row(customer)).toMatchObject({ day: first, real: today() });
    days(5);
    await post(customer, add(-110n));
    expect(await row(customer)).toMatchObject({ day: first, real: null });
    await post(customer, add(1n));
    expect(await row(customer)).toMatchObject({ day: first, real: today() });
  });

  test("lets an award of another day write into no index of the balances", async () => {
    const updates = `select pg_stat_get_xact_tuples_updated('balance'::regclass) as all,
  pg_stat_get_xact_tuples_hot_updated('balance'::regclass) as hot`;
    days(5);
    const posting = { ...plainPosting(service.deps.random.uid(), "api", "test", add(10n)), extends: "credit" as const };
    const [before, after] = await service.deps.db.tx(async (tx) => {
      const [before] = await tx.query<{ all: bigint; hot: bigint }>(updates);
      await postAllotments(tx, service.deps, [{ customer, posting }]);
      const [after] = await tx.query<{ all: bigint; hot: bigint }>(updates);
      return [before, after];
    });
    expect((after?.all ?? 0n) - (before?.all ?? 0n)).toBe(1n);
    expect((after?.hot ?? 0n) - (before?.hot ?? 0n)).toBe(1n);
  });

  test("is set right by the sweep that finds it too early, which takes nothing; the points go on their own day", async () => {
    await post(customer, add(100n));
    days(60);
    await post(customer, add(10n));
    const active = today();
    const early = await nextExpiryAt(service.deps.db);
    days(40);
    expect(Temporal.Instant.compare(early ?? service.clock.now(), service.clock.now())).toBe(-1);
    expect(await expirePoints(service.deps)).toBe(0);
    expect(await row(customer)).toMatchObject({ day: active, real: active, points: 110n });
    const due = await nextExpiryAt(service.deps.db);
    expect(Temporal.Instant.compare(due ?? service.clock.now(), service.clock.now())).toBe(1);
    days(60);
    expect(await expirePoints(service.deps)).toBe(1);
    expect(await row(customer)).toMatchObject({ day: null, real: null, points: 0n });
  });

  test("is gone after a sweep that finds nothing left to expire, and comes back with the next points", async () => {
    await post(customer, add(100n));
    await post(customer, add(-100n));
    days(100);
    expect(await foundBySweep()).toEqual([customer.customerUid]);
    expect(await expirePoints(service.deps)).toBe(0);
    expect(await foundBySweep()).toEqual([]);
    await post(customer, add(5n));
    expect(await row(customer)).toMatchObject({ day: today(), real: today() });
  });

  test("moves with an award that first finds points expired", async () => {
    await post(customer, add(100n));
    days(100);
    await post(customer, add(5n));
    expect(await row(customer)).toMatchObject({ day: today(), real: today(), points: 5n });
  });

  test("goes back to older points that a merge brings, and they expire on time", async () => {
    await post(customer, add(70n), false);
    const old = today();
    days(80);
    const young = await makeCustomer(service.deps);
    expect(await row(young)).toMatchObject({ day: today() });
    await mergeInto(service.deps, customer.storefrontId, young.storefrontId);
    expect(await row(young)).toMatchObject({ day: old, real: old, points: 70n });
    days(15);
    expect(await expirePoints(service.deps)).toBe(1);
    expect(await row(young)).toMatchObject({ day: null, points: 0n });
  });

  test("waits for the next sweep when this one is stopped", async () => {
    await post(customer, add(100n));
    days(60);
    await post(customer, add(10n));
    days(40);
    const { day } = await row(customer);
    await expirePoints(service.deps, { signal: AbortSignal.abort() });
    expect(await row(customer)).toMatchObject({ day });
    await expirePoints(service.deps);
    expect((await row(customer)).day).toBe((await row(customer)).real);
  });

  test("of somebody whose balance is locked stays as it is, and keeps nobody else's points from expiring", async () => {
    await post(customer, add(100n));
    days(1);
    const other = await makeCustomer(service.deps);
    await post(other, add(7n));
    days(60);
    await post(customer, add(10n));
    days(40);
    await service.deps.db.tx(async (tx) => {
      await tx.execute("select 1 from balance where customer_uid = $1 for update", [customer.customerUid]);
      expect(await expirePoints(service.deps)).toBe(1);
    });
    expect(await row(other)).toMatchObject({ points: 0n });
    expect(await row(customer)).toMatchObject({ points: 110n });
  });

  test("moves many at once, some at a time while requests are posting", async () => {
    const customers = await Promise.all(Array.from({ length: 45 }, () => makeCustomer(service.deps)));
    for (const each of customers) await post(each, add(1n));
    days(50);
    for (const each of customers.slice(0, 30)) await post(each, add(1n));
    days(50);
    const busy = { ...service.deps, postings: { ...service.deps.postings, isBusy: () => true } };
    expect(await expirePoints(busy)).toBe(15);
    expect(await foundBySweep()).toHaveLength(30);
    expect(await expirePoints(busy)).toBe(0);
    for (const each of customers.slice(0, 30)) expect((await row(each)).day).toBe((await row(each)).real);
  });
});
