import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDice } from "../../../demo/season/dice.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { aggregateCustomers } from "../../../src/metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../../../src/metrics/aggregate-metrics.ts";
import { countStoreCustomers } from "../../../src/metrics/count-store-customers.ts";
import { selectMetricsState } from "../../../src/metrics/customer-queries.ts";
import { selectActiveAfter, selectCount, selectDays, selectExpiring } from "../../../src/metrics/metric-queries.ts";
import { rebuildMetrics } from "../../../src/metrics/rebuild-metrics.ts";
import { selectRollups } from "../../../src/metrics/rollup-queries.ts";
import { verifyMetrics } from "../../../src/metrics/verify-metrics.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { readProgram } from "../../../src/program/read-program.ts";
import { aggregateAll } from "../../support/aggregate-all.ts";
import { compareStatements } from "../../support/compare-statements.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

const AGGREGATOR = fileURLToPath(new URL("../../support/aggregate-until-killed.ts", import.meta.url));
const CUSTOMERS = 40;
const SMALL = { size: 7, steps: 3 };
const EVER = { from: "1900-01-01", to: "2999-12-31" };
const TYPES = ["api", "fulfillment", "reward", "manual", "csv", "refund", "coupon_reimbursement", "flow"] as const;

let service: TestService;
let customers: Awaited<ReturnType<typeof makeCustomer>>[];
const dice = createDice(20_260_301);
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
  customers = [];
  for (let n = 0; n < CUSTOMERS; n++) customers.push(await makeCustomer(service.deps));
});
afterAll(() => service.stop());

/** One transaction of random allotments of random customers. */
async function postSome(count: number): Promise<void> {
  const { deps } = service;
  const postings = Array.from({ length: count }, () => {
    const type = dice.pick(TYPES);
    const isGain = type !== "refund" && dice.chance(0.7);
    const pointValue = BigInt(1 + dice.below(500)) * (isGain ? 1n : -1n);
    const change = { kind: "add", pointValue, shortfall: "cap" } as const;
    const plain = plainPosting(deps.random.uid(), type, "test", change);
    return { customer: dice.pick(customers), posting: { ...plain, extends: "credit" as const } };
  });
  await deps.db.tx((tx) => postAllotments(tx, deps, postings));
}

interface AllotmentRow {
  readonly allottedAt: Temporal.Instant;
  readonly type: string;
  readonly pointValue: bigint;
}

/** Sums by day and type, from every allotment there is. */
async function expectedDays(timeZone: string): Promise<Map<string, bigint[]>> {
  const rows = await service.deps.db.query<AllotmentRow>(
    `select allotted_at as "allottedAt", type, point_value as "pointValue" from allotment`,
  );
  const sums = new Map<string, bigint[]>();
  for (const { allottedAt, type, pointValue } of rows) {
    const key = `${allottedAt.toZonedDateTimeISO(timeZone).toPlainDate()} ${type}`;
    const [gained = 0n, gains = 0n, taken = 0n, takes = 0n] = sums.get(key) ?? [];
    const isGain = pointValue > 0n;
    const isTake = pointValue < 0n;
    sums.set(key, [
      gained + (isGain ? pointValue : 0n),
      gains + (isGain ? 1n : 0n),
      taken - (isTake ? pointValue : 0n),
      takes + (isTake ? 1n : 0n),
    ]);
  }
  return sums;
}

async function shownDays(): Promise<{ timeZone: string; days: Map<string, bigint[]> }> {
  const shown = (await selectRollups(service.deps.db)).find(({ isShown }) => isShown);
  if (shown === undefined) throw new Error("no rollup is shown");
  const days = await selectDays(service.deps.db, shown.generation, EVER);
  return {
    timeZone: shown.timeZone,
    days: new Map(days.map((row) => [`${row.day} ${row.type}`, [row.gained, row.gains, row.taken, row.takes]])),
  };
}

/** Points by month, from what the interface returns for each customer. */
async function expectedExpiring(timeZone: string): Promise<Map<number, bigint>> {
  const months = new Map<number, bigint>();
  for (const { storefrontId } of customers) {
    const { body } = await service.client.get(`/api/storefront/point_balances/${storefrontId}/expiries`);
    for (const { expires_at, point_value } of body.data) {
      const { year, month } = Temporal.Instant.from(expires_at).toZonedDateTimeISO(timeZone);
      const key = year * 12 + month - 1;
      months.set(key, (months.get(key) ?? 0n) + BigInt(point_value));
    }
  }
  return months;
}

/** Customers of the list by the day of their last allotment that extends. */
async function expectedActiveAfter(day: string, timeZone: string): Promise<bigint> {
  const rows = await service.deps.db.query<{ customerUid: string; at: Temporal.Instant }>(
    `select customer_uid as "customerUid", max(allotted_at) as at from allotment where extends group by customer_uid`,
  );
  const uids = new Set(customers.map(({ customerUid }) => customerUid));
  const active = rows.filter(
    ({ customerUid, at }) => uids.has(customerUid) && at.toZonedDateTimeISO(timeZone).toPlainDate().toString() > day,
  );
  return BigInt(active.length);
}

async function compareAll(timeZone: string): Promise<void> {
  const { db, clock } = service.deps;
  const shown = await shownDays();
  expect(shown.timeZone).toBe(timeZone);
  expect(shown.days).toEqual(await expectedDays(timeZone));
  await expirePoints(service.deps);
  await aggregateAll(service.deps);
  const months = await selectExpiring(db, 0, 100_000);
  expect(new Map(months.map(({ month, points }) => [month, points]))).toEqual(await expectedExpiring(timeZone));
  const today = clock.now().toZonedDateTimeISO(timeZone).toPlainDate();
  for (const days of [1, 30, 90, 365]) {
    const day = today.subtract({ days }).toString();
    expect({ days, active: await selectActiveAfter(db, day) }).toEqual({
      days,
      active: await expectedActiveAfter(day, timeZone),
    });
  }
  const lines: string[] = [];
  expect({ ok: await verifyMetrics(service.deps, (line) => lines.push(line)), lines }).toMatchObject({ ok: true });
  expect(await compareStatements(service.deps)).toBeGreaterThan(CUSTOMERS / 2);
}

describe("figures of a random history", () => {
  test("two nodes that fold in small steps while points move count each allotment once", async () => {
    for (let round = 0; round < 40; round++) {
      await Promise.all([
        postSome(1 + dice.below(30)),
        aggregateMetrics(service.deps, SMALL),
        aggregateMetrics(service.deps, SMALL),
        aggregateCustomers(service.deps, SMALL),
        aggregateCustomers(service.deps, SMALL),
      ]);
      service.clock.advance({ hours: dice.below(60), minutes: dice.below(60) });
      if (round % 10 === 9) await expirePoints(service.deps);
    }
    await aggregateAll(service.deps);
    await compareAll("Asia/Tokyo");
  });

  test("an allotment that commits late, after ones allotted behind it were folded, is not missed", async () => {
    const { deps } = service;
    const [first] = customers;
    if (first === undefined) throw new Error("no customer");
    const change = { kind: "add", pointValue: 77n, shortfall: "cap" } as const;
    const posting = plainPosting(deps.random.uid(), "api", "late", change);
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const late = deps.db.tx(async (tx) => {
      await postAllotments(tx, deps, [{ customer: first, posting }]);
      begun.resolve();
      await gate.promise;
    });
    await begun.promise;
    service.clock.advance({ hours: 30 });
    for (const customer of customers.slice(1, 10)) {
      const plain = plainPosting(deps.random.uid(), "api", "test", change);
      await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting: plain }]));
      await aggregateMetrics(deps);
      await aggregateCustomers(deps);
    }
    gate.resolve();
    await late;
    await aggregateAll(service.deps);
    await compareAll("Asia/Tokyo");
  });

  test("nodes of their own processes, killed at any moment, leave whole steps behind", async () => {
    const { connection, deps } = service;
    for (let kill = 0; kill < 6; kill++) {
      await postSome(40);
      service.clock.advance({ hours: 7 });
      const before = await places();
      const child = spawn(process.execPath, [AGGREGATOR, JSON.stringify(connection), deps.clock.now().toString()], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const closed = once(child, "close");
      await waitUntil(async () => (await places()) !== before);
      await delay(dice.below(20));
      child.kill("SIGKILL");
      await closed;
    }
    await aggregateAll(service.deps);
    await compareAll("Asia/Tokyo");
  });

  test("a changed time zone shows the old sums until the new ones are whole", async () => {
    const { deps } = service;
    const before = await shownDays();
    await applyProgram(deps, {
      document: { store: { time_zone: "America/New_York" } },
      author: "test",
      isDryRun: false,
    });
    await aggregateMetrics(deps, { size: 20, steps: 2 });
    expect(await shownDays()).toEqual(before);
    await postSome(20);
    await aggregateAll(service.deps);
    await compareAll("America/New_York");
  });

  test("other settings of expiry move every customer's months; merged and deleted customers count no more", async () => {
    const { deps } = service;
    const [kept, removed] = [customers[0], customers[1]];
    if (kept === undefined || removed === undefined) throw new Error("no customers");
    await mergeInto(deps, removed.storefrontId, kept.storefrontId);
    customers.splice(1, 1);
    const expiration = { delay_months: 3, mode: "per_allotment", sweep: "monthly" };
    await applyProgram(deps, { document: { expiration }, author: "test", isDryRun: false });
    await aggregateCustomers(deps, SMALL);
    expect((await selectMetricsState(deps.db)).isComplete).toBe(false);
    await aggregateAll(service.deps);
    expect((await selectMetricsState(deps.db)).isComplete).toBe(true);
    service.clock.advance({ hours: 24 * 40 });
    await compareAll("America/New_York");
  });

  test("made anew they are the same", async () => {
    const before = await shownDays();
    await rebuildMetrics(service.deps);
    expect(await shownDays()).toEqual(before);
    await aggregateAll(service.deps);
    expect((await shownDays()).days).toEqual(before.days);
    await compareAll("America/New_York");
  });

  test("verify finds a sum that is not the ledger's", async () => {
    const { db } = service.deps;
    await db.execute(
      "update figure_day set gained = gained + 1 where type = 'api' and day = (select max(day) from figure_day)",
    );
    await db.execute(
      "update figure_active set customers = customers + 1 where day = (select max(day) from figure_active)",
    );
    await db.execute("update figure_customer set expiring = '99999:1' where customer_uid = $1", [
      customers[5]?.customerUid ?? "",
    ]);
    const lines: string[] = [];
    expect(await verifyMetrics(service.deps, (line) => lines.push(line))).toBe(false);
    for (const fault of [/^FAIL figures: [\d-]+ api: /, / last active on /, / expire in month 99999/, / stands at /]) {
      expect(lines).toContainEqual(expect.stringMatching(fault));
    }
  });
});

test("customers are counted by tier, deleted ones not", async () => {
  const { deps, client } = service;
  const rules = [0, 10_000].map((requirement, n) => ({
    name: `Tier ${n}`,
    currency_spent_requirement: requirement,
    point_value: 1,
    currency_value: 100,
  }));
  await applyProgram(deps, { document: { tiers: { rules } }, author: "test", isDryRun: false });
  for (const { storefrontId } of customers.slice(0, 3)) {
    const path = `/api/storefront/point_balances/${storefrontId}/tiers`;
    expect((await client.post(path, { tier: "Tier 1" })).status).toBe(200);
  }
  await countStoreCustomers(deps);
  const count = await selectCount(deps.db);
  const uid = (await readProgram(deps.db)).tiers.rules[1]?.uid ?? "";
  expect(count?.customers).toBe(BigInt(customers.length));
  expect(count?.tiers[uid]).toBe(3);
  expect(Object.values(count?.tiers ?? {}).reduce((sum, n) => sum + n, 0)).toBe(customers.length);
});

/** How far the figures are, as one text. */
async function places(): Promise<string> {
  const [rollups, state] = await Promise.all([selectRollups(service.deps.db), selectMetricsState(service.deps.db)]);
  return JSON.stringify([rollups, state.allottedAt, state.allotmentUid, state.walkUid]);
}
