/** Returns months, newest first, without the oldest empty ones; the newest is always kept. */
export function trimEmptyMonths<Row>(
  rows: readonly Row[] | undefined,
  isEmpty: (row: Row) => boolean,
): readonly Row[] | undefined {
  return rows?.slice(0, Math.max(1, rows.findLastIndex((row) => !isEmpty(row)) + 1));
}
