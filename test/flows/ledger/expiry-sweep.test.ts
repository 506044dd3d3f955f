import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { nextExpiryAt } from "../../../src/ledger/expiry/next-expiry-at.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { readExpiries } from "../../../src/points/balances/read-expiries.ts";
import { START, type Step, step } from "../../ledger-model/histories.ts";
import { faultsOf, readStored } from "../../ledger-model/invariants.ts";
import { ModelCustomer, type ModelRules } from "../../ledger-model/model.ts";
import { postingOf } from "../../ledger-model/posting-of.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const CUSTOMERS = 5;
const RUNS = 12;

const PROGRAMS: { name: string; rules: ModelRules }[] = [
  {
    name: "sliding, 3 months, Tokyo",
    rules: { delayMonths: 3, mode: "sliding", timeZone: "Asia/Tokyo", returnedDays: 30 },
  },
  {
    name: "per allotment, 1 month, New York",
    rules: { delayMonths: 1, mode: "per_allotment", timeZone: "America/New_York", returnedDays: 1 },
  },
  { name: "own dates only", rules: { delayMonths: null, mode: "sliding", timeZone: "UTC", returnedDays: 30 } },
];

interface Player {
  readonly customer: CustomerRow;
  readonly model: ModelCustomer;
}

describe.each(PROGRAMS)("the sweep, $name", ({ rules }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      worker: false,
      program: {
        store: { time_zone: rules.timeZone },
        expiration: { delay_months: rules.delayMonths, mode: rules.mode, returned_days: rules.returnedDays },
      },
    });
  });
  afterAll(() => service.stop());

  test("leaves every customer as the model, over random histories and however often it comes", async () => {
    let now = START;
    const players: Player[] = [];
    const histories = fc.array(fc.array(step, { minLength: 2, maxLength: 7 }), {
      minLength: CUSTOMERS,
      maxLength: CUSTOMERS,
    });
    await fc.assert(
      fc.asyncProperty(histories, fc.infiniteStream(fc.nat(3)), async (steps, coins) => {
        const own = await Promise.all(
          steps.map(async () => ({ customer: await makeCustomer(service.deps), model: new ModelCustomer(rules) })),
        );
        players.push(...own);
        for (let i = 0; steps.some((each) => i < each.length); i++) {
          now = now.add({ hours: steps[i % CUSTOMERS]?.[i]?.afterHours ?? 30 });
          service.clock.set(now);
          const coin = coins.next().value ?? 0;
          if (coin > 0) await sweep(service, players, now, coin);
          for (const [n, player] of own.entries()) {
            const each = steps[n]?.[i];
            if (each !== undefined) await post(service, player, each, now);
          }
        }
        now = now.add({ hours: 24 * 70 });
        service.clock.set(now);
        await sweep(service, players, now, 1);
        await expectSame(service, own, now);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    await expectSame(service, players, now);
    const printed: string[] = [];
    expect((await verifyLedger(service.deps.db, (line) => printed.push(line))).ok, printed.join("\n")).toBe(true);
  });
});

/** Sweeps, from one node or from several at the same time, and counts as the models do. */
async function sweep(
  service: TestService,
  players: readonly Player[],
  now: Temporal.Instant,
  nodes: number,
): Promise<void> {
  const next = await nextExpiryAt(service.deps.db);
  const expired = players.filter(({ model }) => {
    const before = model.allotments.length;
    model.expire(now);
    return model.allotments.length > before;
  });
  // what says when the sweep is needed must never be later than the first thing due
  if (expired.length > 0) expect(next !== null && Temporal.Instant.compare(next, now) <= 0).toBe(true);
  const counts = await Promise.all(
    Array.from({ length: nodes }, () => expirePoints(service.deps, { batchCustomers: 3 })),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expired.length);
  expect(await expirePoints(service.deps)).toBe(0);
}

async function expectSame(service: TestService, players: readonly Player[], now: Temporal.Instant): Promise<void> {
  const stored = await readStored(
    service.deps.db,
    players.map((player) => player.customer.customerUid),
  );
  for (const { customer, model } of players) {
    const rows = stored.get(customer.customerUid);
    if (rows === undefined) throw new Error("a customer's rows are gone");
    expect(faultsOf(rows)).toEqual([]);
    expect(rows.points).toBe(model.balance());
    expect(rows.allotments.map(({ value, type }) => [value, type])).toEqual(
      model.allotments.map(({ value, type }) => [value, type]),
    );
    const upcoming = await readExpiries(service.deps, customer);
    expect(upcoming[0]?.expiresAt.toString() ?? null).toBe(model.expiresAt()?.toString() ?? null);
    expect(upcoming.every(({ expiresAt }) => Temporal.Instant.compare(expiresAt, now) > 0)).toBe(true);
  }
}

async function post(
  service: TestService,
  { customer, model }: Player,
  { op }: Step,
  now: Temporal.Instant,
): Promise<void> {
  const uid = service.deps.random.uid();
  const posting = postingOf(uid, model, op, now);
  if (posting === null) return;
  model.expire(now);
  model.apply(op, now);
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
}
