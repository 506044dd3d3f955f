import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { endHold } from "../../../src/ledger/holds/end-hold.ts";
import type { Hold } from "../../../src/ledger/holds/hold.ts";
import { holdPoints } from "../../../src/ledger/holds/hold-points.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { readBalances } from "../../../src/ledger/read/read-balances.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { readExpiries } from "../../../src/points/balances/read-expiries.ts";
import { releaseDueReservations } from "../../../src/points/reservations/release-due-reservations.ts";
import { Problem } from "../../../src/problems.ts";
import { HoldModel, type HoldRules, type PlainHold } from "../../ledger-model/hold-model.ts";
import { faultsOf, readStored } from "../../ledger-model/invariants.ts";
import { makeCustomer } from "../../support/customers.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const RUNS = exampleRuns(30);
const START = Temporal.Instant.from("2026-01-31T09:30:00.123456Z");
const HOUR_S = 3_600;

const PROGRAMS: readonly { name: string; rules: HoldRules }[] = [
  { name: "sliding, Tokyo", rules: { delayMonths: 1, mode: "sliding", timeZone: "Asia/Tokyo", returnedDays: 30 } },
  {
    name: "each on its own date, New York",
    rules: { delayMonths: 1, mode: "per_allotment", timeZone: "America/New_York", returnedDays: 2 },
  },
];

const op = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("give" as const),
      points: fc.integer({ min: 1, max: 60 }),
      extending: fc.boolean(),
      ownDays: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("take" as const), points: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("hold" as const),
      points: fc.integer({ min: 1, max: 60 }),
      hours: fc.integer({ min: 1, max: 24 * 60 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("capture" as const),
      pick: fc.nat(5),
      percent: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("release" as const), pick: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("sweep" as const),
      what: fc.constantFrom("holds" as const, "points" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("look" as const) }) },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

const step = fc.record({
  afterHours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 48 }), fc.integer({ min: 24, max: 24 * 45 })),
  op,
});

interface Player {
  readonly service: TestService;
  readonly customer: CustomerRow;
  readonly model: HoldModel;
  readonly holds: { readonly mine: PlainHold; readonly uid: string }[];
}

describe.each(PROGRAMS)("random histories with reservations: $name", ({ rules }) => {
  let service: TestService;
  beforeAll(async () => {
    const expiration = { delay_months: rules.delayMonths, mode: rules.mode, returned_days: rules.returnedDays };
    const program = { store: { time_zone: rules.timeZone }, expiration };
    service = await startTestService({ worker: false, now: "2026-01-01T00:00:00Z", program });
  });
  afterAll(() => service.stop());

  test("agree with the model, whenever the sweeps come, and hold every invariant after every step", async () => {
    let now = START;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const model = new HoldModel(rules, now);
        const player: Player = { service, customer: await makeCustomer(service.deps), model, holds: [] };
        for (const each of steps) {
          now = now.add({ hours: each.afterHours, seconds: 1 });
          service.clock.set(now);
          model.passTo(now);
          await play(player, each.op);
          await expectSame(player, each.op);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    const printed: string[] = [];
    expect((await verifyLedger(service.deps.db, (line) => printed.push(line))).ok, printed.join("\n")).toBe(true);
  });
});

async function play(player: Player, each: Op): Promise<void> {
  const { service, customer, model } = player;
  const { deps } = service;
  if (each.kind === "give") {
    const { points, extending, ownDays } = each;
    await post(player, points, extending, ownDays);
    model.give(points, extending, ownDays);
  } else if (each.kind === "take") {
    expect(await post(player, -each.points, false, null)).toBe(model.take(each.points) ? "posted" : "refused");
  } else if (each.kind === "hold") {
    const mine = model.hold(each.points, each.hours * HOUR_S);
    const wanted = { customer, points: BigInt(each.points), ttlSeconds: each.hours * HOUR_S, appReference: "test" };
    const hold = await outcome(deps.db.tx((tx) => holdPoints(tx, deps, wanted)));
    if (mine === null) expect(hold).toBe("negative_balance");
    else if (typeof hold === "string") expect(hold).toBe("held");
    else player.holds.push({ mine, uid: hold.uid });
  } else if (each.kind === "sweep") {
    if (each.what === "holds") await releaseDueReservations(deps);
    else await expirePoints(deps);
  } else if (each.kind !== "look") {
    await endOne(player, each);
  }
}

async function endOne(player: Player, each: Op & { kind: "capture" | "release" }): Promise<void> {
  const { deps } = player.service;
  const picked = player.holds[each.pick % Math.max(1, player.holds.length)];
  if (picked === undefined) return;
  const { mine, uid } = picked;
  const points = each.kind === "capture" ? Math.ceil((mine.points * each.percent) / 100) : 0;
  const capture = points === 0 ? null : { points: BigInt(points), appReference: "test" };
  const ended = await outcome(deps.db.tx((tx) => endHold(tx, deps, { uid, capture })));
  if (mine.state !== "held") return expect(ended).toBe(`reservation_${mine.state}`);
  if (each.kind === "capture") player.model.capture(mine, points);
  else player.model.release(mine);
  expect(ended).toMatchObject({ state: mine.state, captured: BigInt(mine.captured) });
}

async function outcome(work: Promise<Hold>): Promise<Hold | string> {
  return work.catch((error: unknown) => {
    if (error instanceof Problem) return error.code;
    throw error;
  });
}

async function post(
  { service: { deps }, customer }: Player,
  points: number,
  extending: boolean,
  ownDays: number | null,
) {
  const change = { kind: "add", pointValue: BigInt(points), shortfall: "refuse" } as const;
  const posting = {
    ...plainPosting(deps.random.uid(), "api", "test", change),
    extends: extending ? "credit" : "never",
    expiresAt: ownDays === null ? null : deps.clock.now().add({ hours: 24 * ownDays }),
  } as const;
  const [posted] = await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }]));
  return posted?.kind;
}

async function expectSame({ service: { deps }, customer, model, holds }: Player, each: Op): Promise<void> {
  const shown = (await readBalances(deps, deps.db, [customer])).get(customer.customerUid);
  expect(Number(shown?.points)).toBe(model.available());
  expect(shown?.expiresAt?.toString()).toBe(model.expiresAt()?.toString());
  const upcoming = (await readExpiries(deps, customer)).reduce((sum, { points }) => sum + Number(points), 0);
  expect(upcoming).toBe(model.available()); // everything expires some day
  const stored = (await readStored(deps.db, [customer.customerUid])).get(customer.customerUid);
  if (stored === undefined) throw new Error("the customer's rows are gone");
  expect(faultsOf(stored)).toEqual([]);
  const rows = await deps.db.query<{ uid: string; state: string; captured: bigint }>(
    "select uid, state, captured_points as captured from reservation where customer_uid = $1 order by held_at, uid",
    [customer.customerUid],
  );
  expect(rows.map(({ uid }) => uid)).toEqual(holds.map(({ uid }) => uid));
  if (each.kind === "look" || each.kind === "sweep") return;
  // what was posted last is settled in the rows too
  if (each.kind !== "give" && each.kind !== "take") return;
  expect(rows.map(({ state, captured }) => `${state} ${captured}`)).toEqual(
    holds.map(({ mine }) => `${mine.state} ${mine.captured}`),
  );
  expect(stored.lots.map(({ left, date }) => `${left} ${date?.toString()}`).sort()).toEqual(
    model.lots
      .filter(({ left }) => left > 0)
      .map(({ left, ownDate }) => `${left} ${ownDate?.toString()}`)
      .sort(),
  );
}
