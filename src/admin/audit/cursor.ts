import { formatInstant } from "../../time/store-time.ts";

/** Where a page of the log ended: entries go by time, then by number. */
export interface AuditCursor {
  readonly at: Temporal.Instant;
  readonly id: bigint;
}

export function formatCursor({ at, id }: AuditCursor): string {
  return `${formatInstant(at)}_${id}`;
}

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(\d{1,18})$/;

/** Null: it is none that was given out. */
export function parseCursor(text: string): AuditCursor | null {
  const [, at, id] = FORM.exec(text) ?? [];
  if (at === undefined || id === undefined) return null;
  try {
    return { at: Temporal.Instant.from(at), id: BigInt(id) };
  } catch {
    return null;
  }
}
