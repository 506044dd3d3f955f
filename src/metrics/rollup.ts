/** A place in the store's list of allotments: everything up to it is counted. */
export interface Bookmark {
  /** Null: before the first. */
  readonly allottedAt: Temporal.Instant | null;
  readonly allotmentUid: string;
}

/** A book: the ledger's sums by the days of one time zone, as far as it has come. */
export interface Rollup extends Bookmark {
  readonly edition: number;
  readonly timeZone: string;
  readonly isShown: boolean;
}

export const START: Bookmark = { allottedAt: null, allotmentUid: "00000000-0000-0000-0000-000000000000" };

/** Behind every allotment of an instant. */
export function endOfInstant(allottedAt: Temporal.Instant): Bookmark {
  return { allottedAt, allotmentUid: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
}

/** What is to become of the books. */
export interface RollupPlan {
  /** A book in the making that nobody wants any more. */
  readonly drop: Rollup | null;
  /** A book to begin. */
  readonly open: Pick<Rollup, "edition" | "timeZone"> | null;
}

/** The shown book stays until another is done that has the store's time zone; one in the making for another zone goes. */
export function planRollups(books: readonly Rollup[], timeZone: string): RollupPlan {
  const making = books.find(({ isShown }) => !isShown);
  const shown = books.find(({ isShown }) => isShown);
  const drop = making !== undefined && making.timeZone !== timeZone ? making : null;
  const hasBook = shown?.timeZone === timeZone || making?.timeZone === timeZone;
  return { drop, open: hasBook ? null : { edition: nextGeneration(books), timeZone } };
}

export function nextGeneration(books: readonly Rollup[]): number {
  return 1 + Math.max(0, ...books.map(({ edition }) => edition));
}
