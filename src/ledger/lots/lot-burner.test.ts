import fc from "fast-check";
import { expect, test } from "vitest";
import { decidePostings } from "../decide-postings.ts";
import { type ExpiryRules, lotExpiry } from "../expiry/expiry.ts";
import { type LotWindow, plainPosting } from "../posting.ts";
import {
  burnLots,
  duePoints,
  expiryAfter,
  type LotBurner,
  LotWindowExceeded,
  lotBurner,
  lotChanges,
  openLots,
  redateLots,
} from "./lot-burner.ts";
import { compareAge, compareDated, type Lot, sumRemaining } from "./lots.ts";

const LOTS = 100_000;
const FIRST = Temporal.Instant.from("2026-01-01T12:00:00Z");
const at = (n: number) => FIRST.add({ minutes: 10 * n });

const lots = (isDated: boolean, count = LOTS): Lot[] =>
  Array.from({ length: count }, (_, n) => ({
    version: BigInt(n + 1),
    part: 0,
    remaining: 2n,
    expiresAt: isDated ? at(n) : null,
    since: at(n),
    extends: false,
    origin: null,
  }));

/** Rules that count how many dates are computed by them. */
function countedRules(): { rules: ExpiryRules; dates(): number } {
  let dates = 0;
  const rules: ExpiryRules = {
    ...{
      delayMonths: 1,
      mode: "per_allotment",
      shortenedAt: null,
      shorteningDays: 0,
      returnedDays: 30,
      couponsExtend: true,
    },
    timeZone: "Asia/Tokyo",
    get sweep() {
      dates++;
      return "daily" as const;
    },
  };
  return { rules, dates: () => dates };
}

test.each([true, false])("what is due of very many lots (with own dates: %s) is found by few dates", (isDated) => {
  const { rules, dates } = countedRules();
  const window = { dated: [], datedMore: false, undated: [], undatedMore: false, named: [] };
  const burner = lotBurner({ ...window, [isDated ? "dated" : "undated"]: lots(isDated) }, rules);
  const now = isDated ? at(LOTS / 2) : at(LOTS / 2).add({ hours: 24 * 31 });
  const due = duePoints(burner, now, null);
  expect(due).toBeGreaterThan(BigInt(LOTS) - 1_000n);
  expect(due).toBeLessThan(BigInt(LOTS) + 1_000n);
  expect(burnLots(burner, due, [], null)).toHaveLength(Number(due) / 2);
  const next = expiryAfter(burner, now, null);
  expect(next && Temporal.Instant.compare(next, now)).toBe(1);
  expect(duePoints(burner, now, null)).toBe(0n);
  expect(dates()).toBeLessThan(100);
  const { usedUp, changed, opened } = lotChanges(burner);
  expect([usedUp.length, changed, opened]).toEqual([Number(due) / 2, [], []]);
});

/** An instant that counts how often it is compared. */
class CountedInstant extends Temporal.Instant {
  static reads = 0;
  override get epochNanoseconds(): bigint {
    CountedInstant.reads++;
    return super.epochNanoseconds;
  }
}

const NONE: LotWindow = { dated: [], datedMore: false, undated: [], undatedMore: false, named: [] };

test.each([true, false])("very many lots (with own dates: %s) are given back by few comparisons", (isDated) => {
  const count = 20_000;
  const counted = (instant: Temporal.Instant) => new CountedInstant(instant.epochNanoseconds);
  const drawn = lots(isDated, count).map((lot) => ({
    lot: { ...lot, since: counted(lot.since), expiresAt: lot.expiresAt && counted(lot.expiresAt) },
    points: 2n,
  }));
  const points = 2n * BigInt(count);
  const before = {
    ...{ bucket: 1, customerUid: "c", ledgerPoints: 0n, heldPoints: 0n, heldUntil: null, owedPoints: 0n, version: 7n },
    ...{ lastAllottedAt: null, activeAt: null, oldestSince: null, soonestExpiresAt: null, earnedAt: null },
  };
  const back = plainPosting("uid", "api", "test", { kind: "give_back", pointValue: points, ofVersion: 7n, skip: 0n });
  const { rules } = countedRules();
  CountedInstant.reads = 0;
  const change = decidePostings(
    { before, lots: NONE, drawsOf: new Map([[7n, drawn]]), postings: [back] },
    { now: FIRST, watermarkAt: null, rules, counted: new Map(), nextUid: () => "own" },
  );
  expect(CountedInstant.reads).toBeLessThan(50 * count);
  expect(change?.lotsOpened.map(({ since }) => since.epochNanoseconds)).toEqual(
    drawn.map(({ lot }) => lot.since.epochNanoseconds).reverse(),
  );
  expect(change?.after.ledgerPoints).toBe(points);
});

const someLots = fc.array(fc.record({ since: fc.nat(9), expiresAt: fc.option(fc.nat(9)) }), { maxLength: 12 });

const numbered = (shapes: { since: number; expiresAt: number | null }[], version: bigint): Lot[] =>
  shapes.map(({ since, expiresAt }, part) => ({
    ...{ version, part, remaining: 1n, extends: false, origin: null },
    since: at(since),
    expiresAt: expiresAt === null ? null : at(expiresAt),
  }));

/** The lots that a deduction of everything burns, in their order; null: it needs more than the window. */
function burnt(burner: LotBurner, points: bigint): string[] | null {
  try {
    return burnLots(burner, points, [], null).map(({ lot }) => `${lot.version}/${lot.part}`);
  } catch (thrown) {
    if (thrown instanceof LotWindowExceeded) return null;
    throw thrown;
  }
}

test("very many named lots are told apart and drawn first by few readings", () => {
  const count = 2_000;
  let readings = 0;
  const plain = lots(false, count);
  const named = plain.map((lot) => ({
    ...lot,
    get version() {
      readings++;
      return lot.version;
    },
  }));
  const window = { dated: [], datedMore: false, undated: named.slice(0, count / 2), undatedMore: true, named };
  const burner = lotBurner(window, countedRules().rules);
  const versions = plain.map(({ version }) => version).toReversed();
  const draws = burnLots(burner, 2n * BigInt(count), versions, null);
  expect(readings).toBeLessThan(10 * count);
  expect(draws.map(({ lot }) => lot.version)).toEqual(versions);
});

test("very many burns that name a lot each find it by few readings, also one that was opened meanwhile", () => {
  const count = 2_000;
  let readings = 0;
  const counted = (lot: Lot): Lot => ({
    ...lot,
    get version() {
      readings++;
      return lot.version;
    },
  });
  const plain = lots(false, count);
  const burner = lotBurner({ ...NONE, undated: plain.slice(0, count / 2).map(counted) }, countedRules().rules);
  const drawn = plain.toReversed().map(({ version }, i) => {
    if (i === 0) burnLots(burner, 1n, [1n], null);
    if (i === 1) openLots(burner, plain.slice(count / 2).map(counted));
    return burnLots(burner, 1n, [i === 0 ? 2n : version], null).map(({ lot }) => lot.version);
  });
  expect(drawn).toEqual(plain.toReversed().map(({ version }, i) => [i === 0 ? 2n : version]));
  expect(readings).toBeLessThan(20 * count);
});

test("what is due is the sum of the lots that are, whatever was burnt, dated anew or opened before", () => {
  const { rules } = countedRules();
  const steps = fc.array(fc.record({ kind: fc.nat(3), n: fc.nat(9), lots: someLots }), { maxLength: 8 });
  fc.assert(
    fc.property(someLots, steps, (had, taken) => {
      const lotsOf = numbered(had, 1n);
      const dated = lotsOf.filter(({ expiresAt }) => expiresAt !== null).sort(compareDated);
      const undated = lotsOf.filter(({ expiresAt }) => expiresAt === null).sort(compareAge);
      const burner = lotBurner({ ...NONE, dated, datedMore: false, undated, undatedMore: false }, rules);
      for (const [i, { kind, n, lots: opened }] of taken.entries()) {
        const left = burner.held.filter(({ isGone }) => isGone !== true);
        const points = left.reduce((sum, { remaining }) => sum + remaining, 0n);
        const some = BigInt(n) < points ? BigInt(n) : points;
        if (kind === 0) burnLots(burner, some, [], null);
        if (kind === 1) burnLots(burner, some, [BigInt(n)], null);
        if (kind === 2) redateLots(burner, some, null, () => at(n));
        if (kind === 3) openLots(burner, numbered(opened, BigInt(i + 2)));
        const now = n % 2 === 0 ? at(n) : at(n).add({ hours: 24 * 31 });
        const isDue = ({ lot, isGone }: (typeof burner.held)[number]) => {
          const expiry = lotExpiry(lot, null, rules);
          return isGone !== true && expiry !== null && Temporal.Instant.compare(expiry, now) <= 0;
        };
        const due = burner.held.filter(isDue).reduce((sum, { remaining }) => sum + remaining, 0n);
        expect(duePoints(burner, now, null)).toBe(due);
      }
    }),
  );
});

test("what is due is found by few readings where very many holds end one after the other", () => {
  const count = 2_000;
  let readings = 0;
  const burner = lotBurner(
    { ...NONE, datedMore: false, undatedMore: false, dated: lots(true, count) },
    countedRules().rules,
  );
  for (const held of burner.dated.lots) {
    let { remaining } = held;
    Object.defineProperty(held, "remaining", {
      get: () => {
        readings++;
        return remaining;
      },
      set: (points: bigint) => {
        remaining = points;
      },
    });
  }
  for (let n = count; n > 0; n--) {
    expect(duePoints(burner, at(10 * count), null)).toBe(2n * BigInt(n));
    redateLots(burner, 2n, null, () => at(20 * count));
  }
  expect(readings).toBeLessThan(20 * count);
});

test("lots that are opened together burn like those that are opened one after the other", () => {
  const { rules } = countedRules();
  fc.assert(
    fc.property(someLots, someLots, fc.nat(12), fc.boolean(), (had, given, taken, isWhole) => {
      const dated = numbered(had, 1n)
        .filter(({ expiresAt }) => expiresAt !== null)
        .sort(compareDated);
      const undated = numbered(had, 1n)
        .filter(({ expiresAt }) => expiresAt === null)
        .sort(compareAge);
      const window = { dated, datedMore: !isWhole, undated, undatedMore: !isWhole, named: [] };
      const opened = numbered(given, 2n);
      const [together, single] = [lotBurner(window, rules), lotBurner(window, rules)];
      const first = BigInt(Math.min(taken, had.length));
      expect(burnt(together, first)).toEqual(burnt(single, first));
      openLots(together, opened);
      for (const lot of opened) openLots(single, [lot]);
      const rest = sumRemaining([...dated, ...undated, ...opened]) - first;
      expect(burnt(together, rest)).toEqual(burnt(single, rest));
      expect(lotChanges(together)).toEqual(lotChanges(single));
    }),
  );
});
