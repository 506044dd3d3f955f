import type { Deps } from "../../deps.ts";
import type { LedgerFilters } from "./filters.ts";
import { type LedgerEntry, type Position, selectLookEnd, selectPage } from "./queries.ts";
import { walkOf } from "./walk-limits.ts";

export interface FoundPage {
  readonly entries: readonly LedgerEntry[];
  /** Where the next page begins; null: there is none. */
  readonly next: Position | null;
  /** The page ends before it is full: this far was looked, and what lies behind may match too. */
  readonly lookedBackTo: Temporal.Instant | null;
}

/**
 * The newest `rows` allotments behind a position that match. Looks at a bounded number of them, whatever the filters: a page may
 * be short, or empty, and have a next one. By keyset, so that a deep page is as fast as the first.
 */
export async function readLedgerPage(
  deps: Pick<Deps, "db">,
  filters: LedgerFilters,
  { at, rows }: { readonly at: Position; readonly rows: number },
): Promise<FoundPage> {
  const walk = walkOf(filters, rows);
  return deps.db.snapshot(async (tx) => {
    const found = await selectPage(tx, filters, at, walk);
    const isFull = found.length > rows;
    // One walk's rows come without a gap; of several, those behind the shortest one's end may lack others between them.
    const end = isFull && walk.path !== "types" ? undefined : await selectLookEnd(tx, filters, at, walk);
    const sure = end === undefined ? found : found.filter((entry) => !isBehind(entry, end));
    const entries = sure.slice(0, rows);
    const last = entries.at(-1);
    if (sure.length > rows && last !== undefined) return { entries, next: last, lookedBackTo: null };
    if (end === undefined) return { entries, next: null, lookedBackTo: null };
    return { entries, next: end, lookedBackTo: entries.length < rows ? end.allottedAt : null };
  });
}

function isBehind(a: Position, b: Position): boolean {
  const order = Temporal.Instant.compare(a.allottedAt, b.allottedAt);
  return order < 0 || (order === 0 && a.uid < b.uid);
}
