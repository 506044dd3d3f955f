import { isSelective, type LedgerFilters, type LedgerPath, pathOf } from "./filters.ts";

/** How many rows one page looks at where most may have to be left out: a page's time does not grow with the ledger. */
const LOOK = 20_000;
/** The same of each type, where there are several. */
const LOOK_OF_TYPE = 2_500;

export interface Walk {
  readonly path: LedgerPath;
  readonly look: number;
  readonly rows: number;
}

/** How a page of `rows` rows, and one more that tells whether there is another page, is found. */
export function walkOf(filters: LedgerFilters, rows: number): Walk {
  const path = pathOf(filters);
  const look = path === "order" ? LOOK : isSelective(filters) ? lookOf(path) : rows + 1;
  return { path, look: Math.max(look, rows + 1), rows: rows + 1 };
}

/** How far what is shown is added up. */
export function sumWalkOf(filters: LedgerFilters): Omit<Walk, "rows"> {
  const path = pathOf(filters);
  return { path, look: lookOf(path) };
}

function lookOf(path: LedgerPath): number {
  return path === "types" ? LOOK_OF_TYPE : LOOK;
}
