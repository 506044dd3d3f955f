import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allocatedToPoints,
  type CohortMovement,
  type CohortState,
  deferMonth,
  divideRounded,
  type Expectation,
  NO_COHORT,
  NO_MOVEMENT,
} from "./revenue.ts";

const expecting = (redemptionBps: number): Expectation => ({ redemptionBps, pointPriceMillionths: 989_011n });

/** KPMG, Revenue for retailers: 10,000 points of a stand-alone price of 0.989011, with goods for 100,000. */
describe("KPMG's example", () => {
  test("9,000 of 100,000 are for the points", () => {
    expect(allocatedToPoints(100_000n, 10_000n, 989_011n)).toBe(9_000n);
  });

  test("4,500 redeemed of 9,700 expected give 4,175; 8,500 of 9,900 give 3,552 more", () => {
    const at97 = expecting(9_700);
    const first = deferMonth(
      NO_COHORT,
      { ...NO_MOVEMENT, issued: 10_000n, priceMinor: 100_000n },
      { before: at97, now: at97 },
    );
    expect(first.deferral).toMatchObject({ opening: 0n, additions: 9_000n, closing: 9_000n });
    const second = deferMonth(first.state, { ...NO_MOVEMENT, redeemed: 4_500n }, { before: at97, now: at97 });
    expect(second.deferral).toMatchObject({ opening: 9_000n, redemption: 4_050n, breakage: 125n, closing: 4_825n });
    expect(second.state.recognised).toBe(4_175n);
    const third = deferMonth(
      second.state,
      { ...NO_MOVEMENT, redeemed: 4_000n },
      { before: at97, now: expecting(9_900) },
    );
    expect(third.state.recognised - second.state.recognised).toBe(3_552n);
    expect(third.deferral).toMatchObject({
      opening: 4_825n,
      redemption: 3_600n,
      breakage: 112n,
      reestimate: -160n,
      closing: 1_273n,
    });
    const last = deferMonth(
      third.state,
      { ...NO_MOVEMENT, lapsed: 1_500n },
      { before: expecting(9_900), now: expecting(9_900) },
    );
    expect(last.deferral).toMatchObject({ redemption: 0n, breakage: 1_273n, closing: 0n });
  });
});

describe("a month of deferred revenue", () => {
  test("points that are taken back take their share of the price along", () => {
    const now = expecting(10_000);
    const issued = deferMonth(NO_COHORT, { ...NO_MOVEMENT, issued: 100n, priceMinor: 10_000n }, { before: now, now });
    const { deferral } = deferMonth(issued.state, { ...NO_MOVEMENT, takenBack: 100n }, { before: now, now });
    expect(deferral).toMatchObject({ opening: 98n, takenBack: 98n, redemption: 0n, breakage: 0n, closing: 0n });
  });

  test.for([10_000n, 9_999n])("of 10,000 points, %s that were corrected and restored are deferred again", (points) => {
    const now = expecting(9_700);
    const of = (state: CohortState, moved: Partial<CohortMovement>) =>
      deferMonth(state, { ...NO_MOVEMENT, ...moved }, { before: now, now });
    const issued = of(NO_COHORT, { issued: 10_000n, priceMinor: 100_000n });
    const corrected = of(issued.state, { takenBack: points });
    const half = of(corrected.state, { takenBack: -points / 2n });
    const restored = of(half.state, { takenBack: points / 2n - points });
    expect(restored.deferral.closing).toBe(9_000n);
    expect(of(restored.state, { redeemed: 4_500n }).state.recognised).toBe(4_175n);
  });

  test.for([9_000n, -1_000n])("%s that an earlier release left of no points does not come back", (leftover) => {
    const now = expecting(9_700);
    const of = (state: CohortState, moved: Partial<CohortMovement>) =>
      deferMonth(state, { ...NO_MOVEMENT, ...moved }, { before: now, now });
    const issued = of(NO_COHORT, { issued: 10_000n, priceMinor: 100_000n });
    const corrected = of({ ...issued.state, takenMinor: leftover }, { takenBack: 100n });
    expect(of(corrected.state, { takenBack: -100n }).deferral).toMatchObject({ takenBack: -90n, closing: 9_000n });
  });

  test("a redemption that comes back is deferred again", () => {
    const now = expecting(10_000);
    const issued = { ...NO_MOVEMENT, issued: 100n, redeemed: 40n, priceMinor: 10_000n };
    const redeemed = deferMonth(NO_COHORT, issued, { before: now, now });
    const { deferral } = deferMonth(redeemed.state, { ...NO_MOVEMENT, redeemed: -40n }, { before: now, now });
    expect(deferral).toMatchObject({ redemption: -39n, closing: 98n });
  });

  const part = fc.bigInt({ min: 0n, max: 50n });
  const month = fc.record({
    issue: part,
    back: part,
    use: part,
    lapse: part,
    price: part,
    bps: fc.integer({ min: 1, max: 10_000 }),
  });

  test("lines always sum from opening to closing, what is deferred is never below zero, and nothing stays when no points do", () => {
    fc.assert(
      fc.property(fc.array(month, { maxLength: 12 }), (months) => {
        let state: CohortState = NO_COHORT;
        let before = expecting(5_000);
        for (const { issue, back, use, lapse, price, bps } of months) {
          const now = expecting(bps);
          const moved = possible(state, { issue: issue * 100n, back, use, lapse, price: price * 10n });
          const next = deferMonth(state, moved, { before, now });
          const { opening, additions, takenBack, redemption, breakage, reestimate, closing } = next.deferral;
          expect(closing).toBe(opening + additions - takenBack - redemption - breakage - reestimate);
          expect(opening).toBe(state.allocated - state.recognised);
          expect(closing >= 0n).toBe(true);
          ({ state } = next);
          if (state.issued === state.redeemed + state.lapsed) expect(closing).toBe(0n);
          before = now;
        }
      }),
    );
  });

  test("division rounds halves away from zero", () => {
    expect([divideRounded(5n, 2n), divideRounded(-5n, 2n), divideRounded(4n, 3n), divideRounded(-4n, 3n)]).toEqual([
      3n,
      -3n,
      1n,
      -1n,
    ]);
  });
});

/** What can move: no more than there is. */
function possible(
  { issued, redeemed, lapsed }: CohortState,
  tried: { issue: bigint; back: bigint; use: bigint; lapse: bigint; price: bigint },
): CohortMovement {
  let left = issued + tried.issue - redeemed - lapsed;
  const take = (points: bigint) => {
    const taken = points < left ? points : left;
    left -= taken;
    return taken;
  };
  const [takenBack, used, gone] = [take(tried.back), take(tried.use), take(tried.lapse)];
  return { issued: tried.issue, takenBack, redeemed: used, lapsed: gone, priceMinor: tried.price };
}
