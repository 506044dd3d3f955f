/** One row: the value of field i begins at `starts[i]` in `bytes` and has `lengths[i]` bytes; -1: null. Valid until the next row. */
export interface BinaryRow {
  bytes: Buffer;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
}

export function isNull({ lengths }: BinaryRow, field: number): boolean {
  return (lengths[field] ?? -1) < 0;
}

/** Returns the text of a field; null: the field is null. */
export function readFieldText(row: BinaryRow, field: number): string | null {
  if (isNull(row, field)) return null;
  const start = row.starts[field] ?? 0;
  return row.bytes.toString("utf8", start, start + (row.lengths[field] ?? 0));
}

/** Reads an integer of eight bytes. Inexact beyond 2^53. */
export function readNumber({ bytes, starts }: BinaryRow, field: number): number {
  const at = starts[field] ?? 0;
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}
