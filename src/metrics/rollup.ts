/** A position in the store's list of allotments; everything up to it is counted. */
export interface LedgerBookmark {
  /** Null: before the first allotment. */
  readonly allottedAt: Temporal.Instant | null;
  readonly allotmentUid: string;
}

/** The ledger's sums by the days of one time zone, up to a bookmark. */
export interface Rollup extends LedgerBookmark {
  /** The number of this rollup, counted from the first one. */
  readonly generation: number;
  readonly timeZone: string;
  readonly isShown: boolean;
}

export const START: LedgerBookmark = { allottedAt: null, allotmentUid: "00000000-0000-0000-0000-000000000000" };

/** The position after all allotments of an instant. */
export function endOfInstant(allottedAt: Temporal.Instant): LedgerBookmark {
  return { allottedAt, allotmentUid: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
}

/** Which rollup to drop and which to start. */
export interface RollupPlan {
  /** An unfinished rollup that is no longer needed. */
  readonly drop: Rollup | null;
  /** The rollup to start. */
  readonly open: Pick<Rollup, "generation" | "timeZone"> | null;
}

/** Keeps the shown rollup until one in the store's time zone is complete, and drops an unfinished one in another time zone. */
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
