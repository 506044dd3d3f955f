/** One row: `starts[i]` is where the value of field i begins in `bytes`, `lengths[i]` how long it is; -1: null. Good until the next row. */
export interface BinaryRow {
  bytes: Buffer;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
}

/** Whether a field of a row is null. */
export function isNull({ lengths }: BinaryRow, field: number): boolean {
  return (lengths[field] ?? -1) < 0;
}

/** The text of a field; null: it is null. */
export function readFieldText(row: BinaryRow, field: number): string | null {
  if (isNull(row, field)) return null;
  const start = row.starts[field] ?? 0;
  return row.bytes.toString("utf8", start, start + (row.lengths[field] ?? 0));
}
