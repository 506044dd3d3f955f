/** A place in the store's list of allotments: everything up to it is counted. */
export interface LedgerBookmark {
  /** Null: before the first. */
  readonly allottedAt: Temporal.Instant | null;
  readonly allotmentUid: string;
}

/** The ledger's sums by the days of one time zone, up to a bookmark. */
export interface Rollup extends LedgerBookmark {
  /** Counts the rollups that were begun. */
  readonly generation: number;
  readonly timeZone: string;
  readonly isShown: boolean;
}

export const START: LedgerBookmark = { allottedAt: null, allotmentUid: "00000000-0000-0000-0000-000000000000" };

/** Behind every allotment of an instant. */
export function endOfInstant(allottedAt: Temporal.Instant): LedgerBookmark {
  return { allottedAt, allotmentUid: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
}

/** Which rollup to drop and which to begin. */
export interface RollupPlan {
  /** An unfinished rollup that is not needed any more. */
  readonly drop: Rollup | null;
  /** The rollup to begin. */
  readonly open: Pick<Rollup, "generation" | "timeZone"> | null;
}

/** Keeps the shown rollup until one of the store's time zone is complete, and drops an unfinished one of another time zone. */
export function planRollups(rollups: readonly Rollup[], timeZone: string): RollupPlan {
  const pending = rollups.find(({ isShown }) => !isShown);
  const shown = rollups.find(({ isShown }) => isShown);
  const drop = pending !== undefined && pending.timeZone !== timeZone ? pending : null;
  const hasRollup = shown?.timeZone === timeZone || pending?.timeZone === timeZone;
  return { drop, open: hasRollup ? null : { generation: nextGeneration(rollups), timeZone } };
}

export function nextGeneration(rollups: readonly Rollup[]): number {
  return 1 + Math.max(0, ...rollups.map(({ generation }) => generation));
}
