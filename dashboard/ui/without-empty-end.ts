/** Months, the newest first, without the oldest ones in which nothing was yet; the newest stays whatever it has. */
export function withoutEmptyEnd<Row>(
  rows: readonly Row[] | undefined,
  isEmpty: (row: Row) => boolean,
): readonly Row[] | undefined {
  return rows?.slice(0, Math.max(1, rows.findLastIndex((row) => !isEmpty(row)) + 1));
}
