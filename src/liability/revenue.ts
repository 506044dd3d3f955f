/** What a manager expects of the points that were issued in one month. */
export interface Expectation {
  /** The share of the issued points that will be redeemed in the end, in hundredths of a percent: 9700 is 97 %. */
  readonly redemptionBps: number;
  /** Stand-alone price of a point in millionths of a minor unit. */
  readonly pointPriceMillionths: bigint;
}

const MILLION = 1_000_000n;
const BPS = 10_000n;

/** n / d to the nearest integer, halves away from zero. `d` is above 0. */
export function divideRounded(n: bigint, d: bigint): bigint {
  return n < 0n ? -divideRounded(-n, d) : (2n * n + d) / (2n * d);
}

/**
 * The part of a price that is allocated to the points, by relative stand-alone price (IFRS 15.76, ASC 606-10-32-31): price x points /
 * (price + points). The goods' stand-alone price is what was paid for them after discounts. Amounts are minor units.
 */
export function allocatedToPoints(priceMinor: bigint, points: bigint, pointPriceMillionths: bigint): bigint {
  const pointsMillionths = points * pointPriceMillionths;
  const whole = priceMinor * MILLION + pointsMillionths;
  return priceMinor <= 0n || pointsMillionths <= 0n ? 0n : divideRounded(priceMinor * pointsMillionths, whole);
}

/** The points of one month of issue and the part of their price that is recognised, both to date. */
export interface CohortState {
  /** Allocated to points that were not taken back, in minor units. */
  readonly allocated: bigint;
  readonly recognised: bigint;
  /** Issued and not taken back. */
  readonly issued: bigint;
  readonly redeemed: bigint;
  /** Expired or forfeited. */
  readonly lapsed: bigint;
  /** Points that were taken back or corrected and not restored, and what was allocated to them. */
  readonly takenPoints: bigint;
  readonly takenMinor: bigint;
}

export const NO_COHORT: CohortState = {
  allocated: 0n,
  recognised: 0n,
  issued: 0n,
  redeemed: 0n,
  lapsed: 0n,
  takenPoints: 0n,
  takenMinor: 0n,
};

/** Net movements of one month: redeemed less returned points, and so on. */
export interface CohortMovement {
  readonly issued: bigint;
  readonly takenBack: bigint;
  readonly redeemed: bigint;
  readonly lapsed: bigint;
  /** What was paid where the points were earned, in minor units. */
  readonly priceMinor: bigint;
}

export const NO_MOVEMENT: CohortMovement = { issued: 0n, takenBack: 0n, redeemed: 0n, lapsed: 0n, priceMinor: 0n };

/** Deferred revenue of one month in minor units: closing = opening + additions - the other lines. */
export interface Deferral {
  readonly opening: bigint;
  readonly additions: bigint;
  /** Revenue of points that were taken back before they were used; negative where more came back than was taken. */
  readonly takenBack: bigint;
  /** Revenue of redeemed points, at the price that was allocated to each. */
  readonly redemption: bigint;
  /** Revenue of points that are expected never to be redeemed, in proportion to redemption (IFRS 15.B46). */
  readonly breakage: bigint;
  /** The cumulative effect where the expectation differs from that of the month before. */
  readonly reestimate: bigint;
  readonly closing: bigint;
}

export const NO_DEFERRAL: Deferral = {
  opening: 0n,
  additions: 0n,
  takenBack: 0n,
  redemption: 0n,
  breakage: 0n,
  reestimate: 0n,
  closing: 0n,
};

/**
 * Computes one month for one month of issue. Recognised to date = allocated x redeemed to date / expected to be redeemed in total. The
 * expected total is kept between what was redeemed and what can still be, so that nothing stays deferred when no points are left.
 * `before`: the expectation of the month before. Amounts are minor units; the totals to date are rounded to the nearest, so that the months
 * add up.
 */
export function deferMonth(
  state: CohortState,
  moved: CohortMovement,
  { before, now }: { readonly before: Expectation; readonly now: Expectation },
): { readonly state: CohortState; readonly deferral: Deferral } {
  const held = withoutLeftover(state);
  const additions = allocatedToPoints(moved.priceMinor, moved.issued, now.pointPriceMillionths);
  const gross = { allocated: state.allocated + additions, issued: state.issued + moved.issued };
  const takenBack =
    moved.takenBack < 0n
      ? -restoredShare(held, -moved.takenBack)
      : shareOf(gross.allocated, moved.takenBack, gross.issued);
  const points = {
    allocated: gross.allocated - takenBack,
    issued: gross.issued - moved.takenBack,
    redeemed: state.redeemed + moved.redeemed,
    lapsed: state.lapsed + moved.lapsed,
    takenPoints: atLeastNone(state.takenPoints + moved.takenBack),
    takenMinor: held.takenMinor + takenBack,
  };
  const recognised = recognisedToDate(points, now.redemptionBps);
  const asBefore = recognisedToDate(points, before.redemptionBps);
  const redemption = shareOf(points.allocated, moved.redeemed, points.issued);
  const opening = state.allocated - state.recognised;
  return {
    state: { ...points, recognised },
    deferral: {
      ...{ opening, additions, takenBack, redemption },
      breakage: asBefore - state.recognised - redemption,
      reestimate: recognised - asBefore,
      closing: points.allocated - recognised,
    },
  };
}

/** Where no points are taken back, nothing is allocated to such points: earlier releases could leave an amount, of either sign. */
function withoutLeftover({ takenPoints, takenMinor }: CohortState): Pick<CohortState, "takenPoints" | "takenMinor"> {
  return { takenPoints, takenMinor: takenPoints > 0n ? takenMinor : 0n };
}

/** What was taken back with points comes back with them, also where no other points of their month are left. */
function restoredShare(
  { takenPoints, takenMinor }: Pick<CohortState, "takenPoints" | "takenMinor">,
  restored: bigint,
): bigint {
  return shareOf(takenMinor, restored < takenPoints ? restored : takenPoints, takenPoints);
}

function atLeastNone(points: bigint): bigint {
  return points < 0n ? 0n : points;
}

function recognisedToDate(
  { allocated, issued, redeemed, lapsed }: Pick<CohortState, "allocated" | "issued" | "redeemed" | "lapsed">,
  redemptionBps: number,
): bigint {
  const possible = issued - lapsed;
  if (possible <= redeemed) return allocated;
  const estimated = divideRounded(issued * BigInt(redemptionBps), BPS);
  const expected = estimated < redeemed ? redeemed : estimated > possible ? possible : estimated;
  return expected <= 0n ? 0n : divideRounded(allocated * redeemed, expected);
}

function shareOf(amount: bigint, part: bigint, whole: bigint): bigint {
  return whole <= 0n ? 0n : divideRounded(amount * part, whole);
}

/** Sums of deferrals, field by field. */
export function sumDeferrals(deferrals: Iterable<Deferral>): Deferral {
  let sum = NO_DEFERRAL;
  for (const each of deferrals) {
    sum = {
      opening: sum.opening + each.opening,
      additions: sum.additions + each.additions,
      takenBack: sum.takenBack + each.takenBack,
      redemption: sum.redemption + each.redemption,
      breakage: sum.breakage + each.breakage,
      reestimate: sum.reestimate + each.reestimate,
      closing: sum.closing + each.closing,
    };
  }
  return sum;
}
