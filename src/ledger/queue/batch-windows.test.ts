import fc from "fast-check";
import { expect, test } from "vitest";
import { decidePostings } from "../decide-postings.ts";
import type { ExpiryRules } from "../expiry/expiry.ts";
import { firstWindow, kindsWindow } from "../lots/lot-queries.ts";
import { compareAge, compareDated, type Draw, type Lot, sumRemaining } from "../lots/lots.ts";
import { type CustomerChange, type LotWindow, type Posting, plainPosting } from "../posting.ts";

const NOW = Temporal.Instant.from("2026-06-15T12:00:00Z");
const daysAgo = (days: number) => NOW.subtract({ hours: 24 * days });
const base = { delayMonths: 3, sweep: "daily", couponsExtend: true, returnedDays: 5, shorteningDays: 30 } as const;

const lots: fc.Arbitrary<Lot[]> = fc
  .array(
    fc.record({ points: fc.bigInt(1n, 20n), age: fc.nat(120), ownAge: fc.option(fc.integer({ min: -40, max: 20 })) }),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  .map((rows) =>
    rows.map(({ points, age, ownAge }, i) => ({
      ...{ version: BigInt(i + 1), part: 0, remaining: points, extends: false, origin: null },
      expiresAt: ownAge === null ? null : daysAgo(ownAge),
      since: daysAgo(age),
    })),
  );

/** What a batch may ask for one customer. `named` is the version of an existing lot or of a lot that the batch itself opens. */
const shape = fc.oneof(
  fc.record({
    kind: fc.constant("add"),
    points: fc.bigInt(-60n, 40n),
    cap: fc.constantFrom<("refuse" | "cap" | "owe")[]>("refuse", "cap", "owe"),
    named: fc.nat(14),
  }),
  fc.record({ kind: fc.constant("set"), points: fc.bigInt(0n, 80n) }),
  fc.record({ kind: fc.constant("give_back"), points: fc.bigInt(1n, 4n), skip: fc.bigInt(0n, 4n) }),
);
const DRAWN: Draw[] = [3n, 5n].map((points, i) => ({
  lot: {
    version: BigInt(90 + i),
    part: 0,
    remaining: 0n,
    expiresAt: i === 0 ? null : daysAgo(-9),
    since: daysAgo(80),
    extends: true,
    origin: null,
  },
  points,
}));

const shapes = fc.record({
  lots,
  shapes: fc.array(shape, { minLength: 1, maxLength: 7 }),
  owned: fc.array(fc.option(fc.integer({ min: -30, max: 30 })), { minLength: 7, maxLength: 7 }),
  held: fc.bigInt(0n, 30n),
  ended: fc.bigInt(0n, 10n),
  owed: fc.bigInt(0n, 10n),
  mode: fc.constantFrom<ExpiryRules["mode"][]>("sliding", "per_allotment"),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

function postingsOf({ shapes, owned }: Shape): Posting[] {
  return shapes.map((each, i): Posting => {
    const plain = (change: Posting["change"]) => plainPosting(`uid-${i}`, "api", "test", change);
    if (each.kind === "set") return { ...plain({ kind: "set", balance: each.points }), extends: "credit" };
    if ("skip" in each) return plain({ kind: "give_back", pointValue: each.points, ofVersion: 50n, skip: each.skip });
    const own = owned[i] ?? null;
    return {
      ...plain({ kind: "add", pointValue: each.points, shortfall: "cap" in each ? each.cap : "refuse" }),
      extends: i % 2 === 0 ? "credit" : "never",
      expiresAt: own === null ? null : daysAgo(own),
      drawFirst: "named" in each ? [BigInt(each.named)] : [],
    };
  });
}

/** Both ways in which lots are read: the first of all, and the first of each kind. */
const WINDOWS: Record<"first" | "kinds", (dated: Lot[], undated: Lot[], size: number) => LotWindow> = {
  first: (dated, undated, size) => firstWindow([...dated, ...undated].slice(0, size + 1), size),
  kinds: (dated, undated, size) => kindsWindow([...dated.slice(0, size + 1), ...undated.slice(0, size + 1)], size),
};

function decide(shape: Shape, size: number, window: keyof typeof WINDOWS = "kinds"): CustomerChange | null {
  const dated = shape.lots.filter(({ expiresAt }) => expiresAt !== null).sort(compareDated);
  const undated = shape.lots.filter(({ expiresAt }) => expiresAt === null).sort(compareAge);
  const ledgerPoints = sumRemaining(shape.lots);
  const heldPoints = shape.held < ledgerPoints ? shape.held : ledgerPoints;
  const ended = shape.ended < heldPoints ? shape.ended : heldPoints;
  const postings = postingsOf(shape);
  const rules: ExpiryRules = { ...base, mode: shape.mode, shortenedAt: null, timeZone: "UTC" };
  return decidePostings(
    {
      before: {
        ...{ bucket: 1, customerUid: "c", ledgerPoints, heldPoints, heldUntil: null, owedPoints: shape.owed },
        ...{ version: BigInt(shape.lots.length), lastAllottedAt: null, activeAt: null, earnedAt: null },
        oldestSince: undated[0]?.since ?? null,
        soonestExpiresAt: dated[0]?.expiresAt ?? null,
      },
      lots: {
        ...WINDOWS[window](dated, undated, size),
        named: shape.lots.filter(({ version }) => postings.some(({ drawFirst }) => drawFirst.includes(version))),
      },
      drawsOf: new Map([[50n, DRAWN]]),
      postings,
      holdEnds: ended === 0n ? [] : [{ uid: "hold", points: ended, captured: 0n, at: daysAgo(3) }],
    },
    { now: NOW, watermarkAt: null, rules, counted: new Map(), nextUid: () => "own" },
  );
}

/** In which order lots are written makes no difference. */
function sorted(change: CustomerChange): CustomerChange {
  const inOrder = (each: readonly Lot[]) => each.toSorted((a, b) => Number(a.version - b.version) || a.part - b.part);
  const { lotsOpened, lotsChanged, lotsUsedUp } = change;
  return {
    ...change,
    ...{ lotsOpened: inOrder(lotsOpened), lotsChanged: inOrder(lotsChanged), lotsUsedUp: inOrder(lotsUsedUp) },
  };
}

test("a batch of one customer comes to the same whatever part of the lots was read, and its lots sum to the balance", () => {
  const short = { first: 0, kinds: 0 };
  fc.assert(
    fc.property(shapes, (shape) => {
      const whole = decide(shape, shape.lots.length);
      if (whole === null) throw new Error("all lots were given");
      for (const window of ["first", "kinds"] as const) {
        for (let size = 0; size < shape.lots.length; size++) {
          const change = decide(shape, size, window);
          if (change === null) continue;
          short[window]++;
          expect(sorted(change)).toEqual(sorted(whole));
        }
        expect(sorted(whole)).toEqual(sorted(decide(shape, shape.lots.length, window) as CustomerChange)); // cast: all lots are enough
      }
      const gone = new Set(
        [...whole.lotsUsedUp, ...whole.lotsChanged].map(({ version, part }) => `${version}/${part}`),
      );
      const left = [
        ...shape.lots.filter(({ version, part }) => !gone.has(`${version}/${part}`)),
        ...whole.lotsChanged,
        ...whole.lotsOpened,
      ];
      expect(sumRemaining(left)).toBe(whole.after.ledgerPoints);
      expect(whole.after.heldPoints <= whole.after.ledgerPoints).toBe(true);
      expect(whole.after.soonestExpiresAt).toEqual(
        left.filter((l) => l.expiresAt !== null).sort(compareDated)[0]?.expiresAt ?? null,
      );
      expect(whole.after.oldestSince).toEqual(
        left.filter((l) => l.expiresAt === null).sort(compareAge)[0]?.since ?? null,
      );
      for (const allotment of whole.allotments) {
        const drawn = whole.draws.filter(({ byVersion }) => byVersion === allotment.version);
        expect(drawn.reduce((sum, { points }) => sum + points, 0n)).toBe(
          allotment.pointValue < 0n ? -allotment.pointValue : 0n,
        );
      }
      const keys = whole.draws.map(({ byVersion, lot }) => `${byVersion}<${lot.version}/${lot.part}`);
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 400 },
  );
  expect(short.first).toBeGreaterThan(50);
  expect(short.kinds).toBeGreaterThan(100);
});
