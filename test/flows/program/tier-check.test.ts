import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Db, Tx } from "../../../src/db/pool.ts";
import { mergeCustomers } from "../../../src/intake/merge-customers.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { ensureProgram } from "../../../src/program/ensure-program.ts";
import { evaluateTiers } from "../../../src/tiers/evaluate-tiers.ts";
import { nextTierCheckAt } from "../../../src/tiers/next-tier-check-at.ts";
import { behind } from "../../support/behind.ts";
import { makeCustomer } from "../../support/customers.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type ModelCustomer, type ModelRules, modelCheck, modelChecks, monthStart } from "../../support/tier-model.ts";

const NAMES = ["Bronze", "Silver", "Gold", "Platinum"];
const REQUIREMENTS = [0, 1_000, 5_000, 20_000];
const START = "2026-01-15T12:00:00Z";
const START_MS = Date.parse(START);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: START });
});
afterAll(() => service.stop());

const RULES: ModelRules = {
  periodMonths: 1,
  startMonth: 1,
  windowMonths: 1,
  onMiss: "one_down",
  requirements: REQUIREMENTS,
};

async function applyRules(rules: ModelRules): Promise<void> {
  const document = {
    store: { currency: "JPY", time_zone: "UTC" },
    tiers: {
      period_months: rules.periodMonths,
      start_month: rules.startMonth,
      window_months: rules.windowMonths,
      on_miss: rules.onMiss,
      rules: NAMES.map((name, rank) => ({
        name,
        currency_spent_requirement: rules.requirements[rank] ?? 0,
        point_value: 1,
        currency_value: 100,
      })),
    },
  };
  await applyProgram(service.deps, { document, author: "test", isDryRun: false });
}

beforeEach(async () => {
  service.clock.set(START);
  for (const table of ["designation", "customer_tier", "tier_change", "order_spend", "program_version"]) {
    await service.owner.execute(`delete from ${table}`);
  }
  await ensureProgram(service.deps);
  await applyRules(RULES);
});

interface Member {
  readonly storefrontId: string;
  readonly model: ModelCustomer;
}

let orders = 0;

/** A customer as the model has it: spend as the orders leave it, a tier as a person sets it. */
async function member(model: ModelCustomer): Promise<Member> {
  const { storefrontId, bucket, customerUid } = await makeCustomer(service.deps);
  for (const { atMs, minor } of model.spends) {
    await service.deps.db.execute(
      "insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor) values ($1, $2, $3, $4, $5)",
      [`check-${++orders}`, bucket, customerUid, Temporal.Instant.fromEpochMilliseconds(atMs), BigInt(minor)],
    );
  }
  const body = {
    ...(model.rank > 0 ? { tier: NAMES[model.rank] } : {}),
    ...(model.floor === null ? {} : { minimum_tier: NAMES[model.floor] }),
    ...(model.skips ? { skip_next_check: true } : {}),
  };
  if (Object.keys(body).length > 0) await update(storefrontId, body);
  return { storefrontId, model };
}

async function update(storefrontId: string, body: object): Promise<void> {
  const answer = await service.client.post(`/api/storefront/point_balances/${storefrontId}/tiers`, body);
  expect(answer.status).toBe(200);
}

async function tierOf(storefrontId: string): Promise<{ tier: string; skip_next_check: boolean }> {
  return (await service.client.get(`/api/storefront/point_balances/${storefrontId}/tier`)).body.data;
}

/** The ranks that checks gave, oldest first. */
async function ranksGiven(storefrontId: string): Promise<number[]> {
  const { body } = await service.client.get(`/api/storefront/point_balances/${storefrontId}/tier_changes`);
  const checks = body.data.filter(({ cause }: { cause: string }) => cause === "check");
  return checks.map(({ to }: { to: string }) => NAMES.indexOf(to)).reverse();
}

const day = 86_400_000;
const customers = fc.record({
  rank: fc.integer({ min: 0, max: 3 }),
  floor: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 3 }),
  skips: fc.boolean(),
  spends: fc.array(
    fc.record({
      atMs: fc.integer({ min: -500, max: 400 }).map((days) => START_MS + days * day),
      minor: fc.integer({ min: -2_000, max: 12_000 }),
    }),
    { maxLength: 12 },
  ),
});
const settings = fc.record({
  periodMonths: fc.constantFrom(1, 2, 3, 4, 6, 12),
  startMonth: fc.integer({ min: 1, max: 12 }),
  windowMonths: fc.integer({ min: 1, max: 24 }),
  onMiss: fc.constantFrom("one_down" as const, "matching" as const, "never" as const),
  requirements: fc.constant(REQUIREMENTS),
});

/** A floor above the present tier can be set only with a tier not below it: the model's start is a possible one. */
function possible(given: {
  rank: number;
  floor: number | null;
  skips: boolean;
  spends: ModelCustomer["spends"];
}): ModelCustomer {
  return { ...given, rank: Math.max(given.rank, given.floor ?? 0) };
}

test("equals the model over random rules, histories and times at which the job comes", async () => {
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.array(customers, { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
      async (rules, drawn, pauses) => {
        await service.owner.execute("delete from designation");
        service.clock.set(START);
        await applyRules(rules);
        const members = await Promise.all(drawn.map((given) => member(possible({ ...given }))));
        const given = new Map<string, number[]>(members.map(({ storefrontId }) => [storefrontId, []]));
        let nowMs = START_MS;
        for (const pause of pauses) {
          const untilMs = nowMs + pause * day;
          for (const month of modelChecks(rules, nowMs, untilMs)) {
            for (const { storefrontId, model } of members) {
              if (modelCheck(rules, model, month)) given.get(storefrontId)?.push(model.rank);
            }
          }
          nowMs = untilMs;
          service.clock.set(Temporal.Instant.fromEpochMilliseconds(nowMs));
          await evaluateTiers(service.deps);
        }
        for (const { storefrontId, model } of members) {
          const { tier, skip_next_check } = await tierOf(storefrontId);
          expect([tier, skip_next_check]).toEqual([NAMES[model.rank], model.skips]);
          expect(await ranksGiven(storefrontId)).toEqual(given.get(storefrontId));
        }
      },
    ),
    { numRuns: exampleRuns(25) },
  );
});

/** A database whose transactions are lost at their end, as by a kill, from the `n`-th on. */
function killedAfter(db: Db, n: number): Db {
  let count = 0;
  const tx = <T>(work: (tx: Tx) => Promise<T>) =>
    db.tx(async (inner) => {
      const answer = await work(inner);
      if (++count > n) throw new Error("killed");
      return answer;
    });
  return { ...db, tx };
}

/** Customers in Gold who spent nothing: each check drops them one tier. */
async function goldMembers(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.push((await member({ rank: 2, floor: null, skips: false, spends: [] })).storefrontId);
  return ids;
}

async function changesByCheck(): Promise<string[]> {
  const rows = await service.deps.db.query<{ found: string }>(
    `select check_at::text || ' ' || count(*) || ' ' || count(distinct customer_uid) as found
    from tier_change where cause = 'check' group by check_at order by check_at`,
  );
  return rows.map(({ found }) => found);
}

describe("a check that is cut off", () => {
  test("goes on where it was, and moves nobody twice, wherever it is killed", async () => {
    const ids = await goldMembers(30);
    service.clock.set("2026-03-02T00:00:00Z");
    for (let kills = 0; ; kills++) {
      const deps = { ...service.deps, db: killedAfter(service.deps.db, kills % 3) };
      const isKilled = await evaluateTiers(deps, { chunkCustomers: 4 }).then(
        () => false,
        (error: Error) => error.message === "killed",
      );
      if (!isKilled) break;
      if (kills % 3 === 0) await expect(evaluateTiers(deps)).rejects.toThrow("killed");
      expect(kills).toBeLessThan(200);
    }
    expect(await changesByCheck()).toEqual(["2026-02-01 00:00:00+00 30 30", "2026-03-01 00:00:00+00 30 30"]);
    for (const id of ids.slice(0, 3)) expect((await tierOf(id)).tier).toBe("Bronze");
  });

  test("is made by several nodes at once, once", async () => {
    await goldMembers(30);
    service.clock.set("2026-03-02T00:00:00Z");
    const moved = await Promise.all([1, 2, 3, 4].map(() => evaluateTiers(service.deps)));
    expect(moved.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(await changesByCheck()).toEqual(["2026-02-01 00:00:00+00 30 30", "2026-03-01 00:00:00+00 30 30"]);
    expect(await evaluateTiers(service.deps)).toBe(0);
  });
});

describe("a check that is made up late", () => {
  test("leaves alone whom a person placed after its time, and keeps a skip that was meant for the next one", async () => {
    const placed = await member({ rank: 2, floor: null, skips: false, spends: [] });
    const skipping = await member({ rank: 2, floor: null, skips: false, spends: [] });
    service.clock.set("2026-02-10T00:00:00Z");
    await update(placed.storefrontId, { tier: "Platinum" });
    await update(skipping.storefrontId, { skip_next_check: true });
    await evaluateTiers(service.deps);
    expect((await tierOf(placed.storefrontId)).tier).toBe("Platinum");
    expect(await tierOf(skipping.storefrontId)).toMatchObject({ tier: "Silver", skip_next_check: true });
  });

  test("is made by the rules that were valid at its time", async () => {
    const { storefrontId } = await member({ rank: 2, floor: null, skips: false, spends: [] });
    service.clock.set("2026-03-10T00:00:00Z");
    await applyRules({ ...RULES, onMiss: "never", periodMonths: 12 });
    expect(String(await nextTierCheckAt(service.deps.db))).toBe("2026-02-01T00:00:00Z");
    await evaluateTiers(service.deps);
    expect(await ranksGiven(storefrontId)).toEqual([1, 0]);
    expect(String(await nextTierCheckAt(service.deps.db))).toBe("2027-01-01T00:00:00Z");
  });

  test("decides by its own time what orders earn that are told of later", async () => {
    const { storefrontId } = await member({
      rank: 0,
      floor: null,
      skips: false,
      spends: [{ atMs: monthStart(2026 * 12) + 20 * day, minor: 6_000 }],
    });
    service.clock.set("2026-02-10T00:00:00Z");
    await evaluateTiers(service.deps);
    const { body } = await service.client.get(`/api/storefront/point_balances/${storefrontId}/tier_changes`);
    expect(body.data[0]).toMatchObject({
      changed_at: "2026-02-01T00:00:00.000000Z",
      check_at: "2026-02-01T00:00:00.000000Z",
      to: "Gold",
      spend: { raw_amount: 6_000 },
    });
  });
});

test("counts what both spent where a merge comes between the reading and the moving", async () => {
  await applyRules({ ...RULES, windowMonths: 12 });
  const spent = (minor: number) => [{ atMs: START_MS + 5 * day, minor }];
  const kept = await member({ rank: 2, floor: null, skips: false, spends: spent(4_500) });
  const removed = await member({ rank: 0, floor: null, skips: false, spends: spent(900) }); // whom the check would leave
  service.clock.set("2026-02-01T00:00:01Z");
  const ids = { keptId: kept.storefrontId, removedId: removed.storefrontId, appReference: "test" };
  await behind(
    service.deps.db,
    (tx) => mergeCustomers(tx, service.deps, ids),
    () => evaluateTiers(service.deps),
  );
  expect((await tierOf(kept.storefrontId)).tier).toBe("Gold"); // 5,000 in 12 months, whichever came first
});

test("a merge before a late check gives what the check would have given for the spend before it", async () => {
  const kept = await member({
    rank: 0,
    floor: null,
    skips: false,
    spends: [{ atMs: START_MS + 5 * day, minor: 6_000 }],
  });
  const removed = await member({ rank: 1, floor: null, skips: false, spends: [] });
  service.clock.set("2026-02-01T00:00:30Z");
  const ids = { keptId: kept.storefrontId, removedId: removed.storefrontId, appReference: "test" };
  await service.deps.db.tx((tx) => mergeCustomers(tx, service.deps, ids));
  await evaluateTiers(service.deps);
  expect((await tierOf(kept.storefrontId)).tier).toBe("Gold");
});

test("customers with the default tier and no spend get no row", async () => {
  await makeCustomer(service.deps);
  service.clock.set("2026-06-10T00:00:00Z");
  expect(await evaluateTiers(service.deps)).toBe(0);
  expect(await service.deps.db.query("select from customer_tier")).toHaveLength(0);
});
