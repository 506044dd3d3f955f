import { isSelective, type LedgerFilters, type LedgerPath, pathOf } from "./filters.ts";

/** How many rows a page reads if most may not match, so that a page's time does not grow with the ledger. */
const LOOK = 20_000;
/** The same per type, if there are several. */
const LOOK_OF_TYPE = 2_500;

export interface Walk {
  readonly path: LedgerPath;
  readonly look: number;
  readonly rows: number;
}

/** Returns how to find a page of `rows` rows, and one more that shows whether there is another page. */
export function walkOf(filters: LedgerFilters, rows: number): Walk {
  const path = pathOf(filters);
  const look = path === "order" ? LOOK : isSelective(filters) ? lookOf(path) : rows + 1;
  return { path, look: Math.max(look, rows + 1), rows: rows + 1 };
}

/** Returns how many rows are read for the sums, of all types together: unlike a page, they need no order. */
export function sumWalkOf(filters: LedgerFilters): Omit<Walk, "rows"> {
  return { path: pathOf(filters), look: LOOK };
}

function lookOf(path: LedgerPath): number {
  return path === "types" ? LOOK_OF_TYPE : LOOK;
}
