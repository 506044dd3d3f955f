import type { MovementKind } from "../wire/liability.ts";
import { type Estimate, expectationOf } from "./estimates.ts";
import {
  type CohortMovement,
  type CohortState,
  type Deferral,
  deferMonth,
  NO_COHORT,
  NO_DEFERRAL,
  NO_MOVEMENT,
} from "./revenue.ts";

/** The lines of one month of issue in one month, and the state with which the next month begins. */
export interface CohortDeferral {
  readonly cohort: number;
  readonly deferral: Deferral;
  readonly state: StoredState;
}

/** The state of a month of issue after a month. */
export interface StoredState extends CohortState {
  /** Whether points without a price are left out. Not those of a month of issue of which an earlier version closed a month: they share the price. */
  readonly isApart: boolean;
}

/** Points that moved; `money` is the price in minor units. `unpriced`: those of the points that no order awarded. */
export interface SaleMovement {
  readonly month: number;
  readonly cohort: number;
  readonly kind: MovementKind;
  readonly points: bigint;
  readonly unpriced: bigint;
  readonly money: bigint;
}

/**
 * The deferrals of each month after the last closed one, up to `until`, by month. `states`: the state of each month of issue at the last
 * close. `areUnpricedSeparated`: which points have no price is known of all these movements. Nothing is deferred where no estimate was ever made.
 */
export function deferMonths(
  {
    states,
    movements,
    areUnpricedSeparated,
  }: {
    readonly states: ReadonlyMap<number, StoredState>;
    readonly movements: readonly SaleMovement[];
    readonly areUnpricedSeparated: boolean;
  },
  estimates: readonly Estimate[],
  { from, until }: { readonly from: number; readonly until: number },
): Map<number, CohortDeferral[]> {
  const isApart = (cohort: number) => states.get(cohort)?.isApart ?? areUnpricedSeparated;
  const moved = netMovements(
    movements.map((each) => (isApart(each.cohort) ? { ...each, points: each.points - each.unpriced } : each)),
  );
  const current = new Map<number, CohortState>(states);
  const months = new Map<number, CohortDeferral[]>();
  for (let month = from; month <= until; month++) {
    const cohorts = new Set([...current.keys(), ...(moved.get(month)?.keys() ?? [])]);
    const rows = [...cohorts]
      .sort((a, b) => a - b)
      .flatMap((cohort) => {
        const now = expectationOf(estimates, cohort, month);
        if (now === null) return [];
        const state = current.get(cohort) ?? NO_COHORT;
        const before = state === NO_COHORT ? now : (expectationOf(estimates, cohort, month - 1) ?? now);
        const next = deferMonth(state, moved.get(month)?.get(cohort) ?? NO_MOVEMENT, { before, now });
        current.set(cohort, next.state);
        const hasMoved = moved.get(month)?.has(cohort) === true;
        return hasMoved || !isNothing(next.deferral)
          ? [{ cohort, deferral: next.deferral, state: { ...next.state, isApart: isApart(cohort) } }]
          : [];
      });
    months.set(month, rows);
  }
  return months;
}

function isNothing(deferral: Deferral): boolean {
  return Object.keys(NO_DEFERRAL).every((line) => deferral[line as keyof Deferral] === 0n); // cast: keys of a Deferral
}

/** Net movements by month and month of issue: for example, returned points are subtracted from redeemed ones. */
function netMovements(movements: readonly SaleMovement[]): Map<number, Map<number, CohortMovement>> {
  const months = new Map<number, Map<number, CohortMovement>>();
  for (const { month, cohort, kind, points, money } of movements) {
    const cohorts = months.get(month) ?? new Map<number, CohortMovement>();
    months.set(month, cohorts);
    cohorts.set(cohort, withMovement(cohorts.get(cohort) ?? NO_MOVEMENT, { kind, points, money }));
  }
  return months;
}

function withMovement(
  moved: CohortMovement,
  { kind, points, money }: Pick<SaleMovement, "kind" | "points" | "money">,
): CohortMovement {
  switch (kind) {
    case "issued":
      return { ...moved, issued: moved.issued + points, priceMinor: moved.priceMinor + money };
    case "taken_back":
    case "corrected":
      return { ...moved, takenBack: moved.takenBack + points };
    case "restored":
      return { ...moved, takenBack: moved.takenBack - points };
    case "redeemed":
      return { ...moved, redeemed: moved.redeemed + points };
    case "returned":
      return { ...moved, redeemed: moved.redeemed - points };
    case "expired":
    case "forfeited":
    case "moved_out":
      return { ...moved, lapsed: moved.lapsed + points };
    case "moved_in":
      return { ...moved, lapsed: moved.lapsed - points };
  }
}
