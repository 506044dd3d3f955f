import fc from "fast-check";
import { expect, test } from "vitest";
import { decidePostings } from "../decide-postings.ts";
import type { ExpiryRules } from "../expiry/expiry.ts";
import { compareAge, compareDated, type Lot, sumRemaining } from "../lots/lots.ts";
import type { CustomerChange, CustomerLedger } from "../posting.ts";
import { type HoldEnd, joinEnds } from "./hold.ts";

const NOW = Temporal.Instant.from("2026-06-15T12:00:00Z");
const RULES: ExpiryRules = {
  delayMonths: 3,
  mode: "per_allotment",
  sweep: "daily",
  couponsExtend: true,
  returnedDays: 5,
  shorteningDays: 30,
  shortenedAt: null,
  timeZone: "UTC",
};

const daysAgo = (days: number) => NOW.subtract({ hours: 24 * days });

const lots: fc.Arbitrary<Lot[]> = fc
  .array(
    fc.record({
      remaining: fc.bigInt({ min: 1n, max: 20n }),
      age: fc.integer({ min: 0, max: 120 }),
      ownAge: fc.option(fc.integer({ min: -40, max: 40 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) =>
    rows.map(({ remaining, age, ownAge }, i) => ({
      version: BigInt(i + 1),
      part: 0,
      remaining,
      expiresAt: ownAge === null ? null : daysAgo(ownAge),
      since: daysAgo(age),
      extends: false,
      origin: null,
    })),
  );

const holds = fc.array(
  fc.record({ points: fc.bigInt({ min: 1n, max: 25n }), endedAgo: fc.integer({ min: -5, max: 40 }) }),
  { maxLength: 5 },
);

interface Case {
  readonly before: CustomerLedger;
  readonly dated: readonly Lot[];
  readonly undated: readonly Lot[];
  readonly holdEnds: readonly HoldEnd[];
}

/** Holds that fit into the lots; those that ended are over. */
const cases: fc.Arbitrary<Case> = fc.tuple(lots, holds).map(([all, requested]) => {
  const ledgerPoints = sumRemaining(all);
  let heldPoints = 0n;
  const fitting = requested.filter(({ points }) => {
    const fits = heldPoints + points <= ledgerPoints;
    if (fits) heldPoints += points;
    return fits;
  });
  const dated = all.filter(({ expiresAt }) => expiresAt !== null).sort(compareDated);
  const undated = all.filter(({ expiresAt }) => expiresAt === null).sort(compareAge);
  const holdEnds = fitting
    .filter(({ endedAgo }) => endedAgo >= 0)
    .sort((a, b) => b.endedAgo - a.endedAgo)
    .map(({ points, endedAgo }, i) => ({ uid: `hold-${i}`, points, captured: 0n, at: daysAgo(endedAgo) }));
  const before = {
    ...{ bucket: 1, customerUid: "c", ledgerPoints, heldPoints, heldUntil: holdEnds[0]?.at ?? null, owedPoints: 0n },
    ...{ version: BigInt(all.length), lastAllottedAt: null, activeAt: null, earnedAt: null },
    oldestSince: undated[0]?.since ?? null,
    soonestExpiresAt: dated[0]?.expiresAt ?? null,
  };
  return { before, dated, undated, holdEnds };
});

function decide({ before, dated, undated, holdEnds }: Case, size: number): CustomerChange | null {
  const window = {
    dated: dated.slice(0, size),
    datedMore: dated.length > size,
    undated: undated.slice(0, size),
    undatedMore: undated.length > size,
    named: [],
  };
  const context = { now: NOW, watermarkAt: null, rules: RULES, counted: new Map(), nextUid: () => "expiration" };
  return decidePostings({ before, lots: window, drawsOf: new Map(), postings: [], holdEnds }, context);
}

test("the end of holds comes to the same whatever part of the lots was read", () => {
  fc.assert(
    fc.property(cases, (given) => {
      const whole = decide(given, given.dated.length + given.undated.length);
      expect(whole).not.toBeNull();
      for (let size = 0; size < given.dated.length + given.undated.length; size++) {
        const change = decide(given, size);
        if (change !== null) expect(change).toEqual(whole);
      }
    }),
    { numRuns: 800 },
  );
});

test("what is left is what lives, what is held, or what just came back; and it sums to the balance", () => {
  fc.assert(
    fc.property(cases, (given) => {
      const change = decide(given, 100);
      if (change === null) throw new Error("all lots were given");
      const { after, lotsUsedUp, lotsChanged, lotsOpened, draws } = change;
      const before = [...given.dated, ...given.undated];
      const stays = before.filter(
        (lot) => ![...lotsUsedUp, ...lotsChanged].some(({ version }) => version === lot.version),
      );
      const left = [...stays, ...lotsChanged, ...lotsOpened];
      expect(sumRemaining(left)).toBe(after.ledgerPoints);
      expect(draws.reduce((sum, { points }) => sum + points, 0n)).toBe(given.before.ledgerPoints - after.ledgerPoints);
      expect(after.heldPoints).toBe(
        given.holdEnds.reduce((held, { points }) => held - points, given.before.heldPoints),
      );
      expect(new Set(left.map(({ version }) => version)).size).toBe(left.length);
      expect(after.soonestExpiresAt).toEqual(
        left.filter((l) => l.expiresAt !== null).sort(compareDated)[0]?.expiresAt ?? null,
      );
      expect(after.oldestSince).toEqual(left.filter((l) => l.expiresAt === null).sort(compareAge)[0]?.since ?? null);
    }),
    { numRuns: 2_000 },
  );
});

test("very many holds that are over and that end now are joined by few readings", () => {
  const count = 2_000;
  let readings = 0;
  const endOf = (uid: string): HoldEnd => ({
    ...{ points: 1n, captured: 0n, at: NOW },
    get uid() {
      readings++;
      return uid;
    },
  });
  const over = Array.from({ length: count }, (_, n) => endOf(`${n}`));
  const ending = Array.from({ length: count }, (_, n) => endOf(`${2 * n}`));
  const joined = joinEnds(over, ending);
  expect(readings).toBeLessThan(10 * count);
  expect(joined).toHaveLength(count + count / 2);
  expect(joined.slice(-count)).toEqual(ending);
});
