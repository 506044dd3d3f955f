import type { ReadDeps } from "../../deps.ts";
import type { TimePosition } from "../list.ts";
import type { LedgerFilters } from "./filters.ts";
import { type LedgerEntry, selectLookEnd, selectPage } from "./queries.ts";
import { walkOf } from "./walk-limits.ts";

export interface FoundPage {
  readonly entries: readonly LedgerEntry[];
  /** Where the next page begins; null: there is none. */
  readonly next: TimePosition | null;
  /** Set on a page that is not full: the time down to which rows were read. Older rows may match too. */
  readonly lookedBackTo: Temporal.Instant | null;
}

/**
 * Returns the newest `rows` matching allotments after a position. It reads a bounded number of rows, whatever the filters: a page may be short or
 * empty and still have a next one. Keyset paging makes a deep page as fast as the first.
 */
export async function readLedgerPage(
  deps: Pick<ReadDeps, "db">,
  filters: LedgerFilters,
  { at, rows }: { readonly at: TimePosition; readonly rows: number },
): Promise<FoundPage> {
  const walk = walkOf(filters, rows);
  return deps.db.snapshot(async (tx) => {
    const found = await selectPage(tx, filters, at, walk);
    const isFull = found.length > rows;
    // The rows of one walk are complete. With several walks, rows after the end of the shortest one may be missing others between them.
    const end = isFull && walk.path !== "types" ? undefined : await selectLookEnd(tx, filters, at, walk);
    const sure = end === undefined ? found : found.filter((entry) => !isBehind(entry, end));
    const entries = sure.slice(0, rows);
    const last = entries.at(-1);
    if (sure.length > rows && last !== undefined) return { entries, next: positionOf(last), lookedBackTo: null };
    if (end === undefined) return { entries, next: null, lookedBackTo: null };
    return { entries, next: end, lookedBackTo: entries.length < rows ? end.at : null };
  });
}

function isBehind(entry: LedgerEntry, end: TimePosition): boolean {
  const order = Temporal.Instant.compare(entry.allottedAt, end.at);
  return order < 0 || (order === 0 && entry.uid < end.id);
}

function positionOf({ allottedAt, uid }: LedgerEntry): TimePosition {
  return { at: allottedAt, id: uid };
}
