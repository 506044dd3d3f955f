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
