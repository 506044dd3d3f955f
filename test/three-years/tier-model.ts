import { isBefore, PERIOD_MONTHS, REQUIREMENTS, WINDOW_MONTHS } from "./terms.ts";
import { TIME_ZONE } from "./wallet-model.ts";

/** A customer's tier by rank, written from program.md 6 alone. */
export interface Standing {
  rank: number;
  floor: number | null;
  skips: boolean;
  /** Oldest first; before the first one the rank is 0. */
  readonly ranks: { readonly at: Temporal.Instant; readonly rank: number }[];
}

export interface Spend {
  readonly yen: bigint;
  readonly at: Temporal.Instant;
}

export function newStanding(): Standing {
  return { rank: 0, floor: null, skips: false, ranks: [] };
}

export function rankAt(standing: Standing, at: Temporal.Instant): number {
  return standing.ranks.findLast((change) => !isBefore(at, change.at))?.rank ?? 0;
}

export function setRank(standing: Standing, rank: number, at: Temporal.Instant): void {
  standing.rank = rank;
  standing.ranks.push({ at, rank });
}

/** Whether a midnight of the store is a check's: of every third month from January on. */
export function isCheck(midnight: Temporal.Instant): boolean {
  const { day, month } = midnight.toZonedDateTimeISO(TIME_ZONE);
  return day === 1 && (month - 1) % PERIOD_MONTHS === 0;
}

/** The time of the next check after `now`. */
export function nextCheck(now: Temporal.Instant): Temporal.Instant {
  let first = now.toZonedDateTimeISO(TIME_ZONE).with({ day: 1 }).startOfDay();
  do first = first.add({ months: 1 });
  while (!isCheck(first.toInstant()));
  return first.toInstant();
}

/** What was spent over the months before a check. */
export function windowSpend(spends: readonly Spend[], check: Temporal.Instant): bigint {
  const from = check.toZonedDateTimeISO(TIME_ZONE).subtract({ months: WINDOW_MONTHS }).toInstant();
  const counted = spends.filter(({ at }) => !isBefore(at, from) && isBefore(at, check));
  return counted.reduce((sum, { yen }) => sum + yen, 0n);
}

export function designate(standing: Standing, spent: bigint, check: Temporal.Instant): void {
  if (standing.skips) {
    standing.skips = false;
    return;
  }
  const met = REQUIREMENTS.findLastIndex((requirement) => spent >= requirement);
  const isHeld = standing.floor !== null && standing.rank - 1 < standing.floor;
  if (met > standing.rank) setRank(standing, met, check);
  else if (met < standing.rank && !isHeld) setRank(standing, standing.rank - 1, check);
}

/** What is still to be spent for each tier before the next check, ascending. */
export function remainingSpend(spent: bigint): readonly bigint[] {
  return REQUIREMENTS.map((requirement) => (spent >= requirement ? 0n : requirement - spent));
}
