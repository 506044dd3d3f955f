import type { Deps } from "../../deps.ts";
import { decodeCursor, encodeCursor } from "../../http/paging.ts";
import { Problem } from "../../problems.ts";
import { formatInstant } from "../../time/store-time.ts";
import { NEWEST, type Position } from "./queries.ts";
import { readLedgerFilters } from "./read-ledger-filters.ts";
import { readLedgerPage } from "./read-ledger-page.ts";
import type { LedgerFilterQuery, LedgerPage } from "./schema.ts";
import { viewEntry } from "./view.ts";

const PAGE_ROWS = 50;

/** A page of the store's allotments, newest first (interface.md 4.3, for people). `after`: a `next` of the same filters. */
export async function listLedger(
  deps: Pick<Deps, "db">,
  { after, ...query }: LedgerFilterQuery & { readonly after?: string },
): Promise<LedgerPage> {
  const at = after === undefined ? NEWEST : positionOf(after);
  const filters = await readLedgerFilters(deps.db, query);
  const { entries, next, lookedBackTo } = await readLedgerPage(deps, filters, { at, rows: PAGE_ROWS });
  return {
    data: entries.map(viewEntry),
    next: next === null ? null : encodeCursor([next.allottedAt.toString(), next.uid]),
    looked_back_to: lookedBackTo === null ? null : formatInstant(lookedBackTo),
  };
}

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function positionOf(cursor: string): Position {
  const [time = "", uid = ""] = decodeCursor(cursor) ?? [];
  try {
    if (UID.test(uid)) return { allottedAt: Temporal.Instant.from(time), uid };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new Problem("invalid", { faults: [{ parameter: "after", detail: "expected a `next` of this list" }] });
}
