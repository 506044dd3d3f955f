import { staleRead } from "../../db/stale-read.ts";
import type { ReadDeps } from "../../deps.ts";
import { readSettledMark } from "../../ledger/read-settled-mark.ts";
import { Problem } from "../../problems.ts";
import { formatInstant } from "../../time/store-time.ts";
import { NEWEST, PAGE_ROWS, readAfter, timeUuidCursor } from "../list.ts";
import { readLedgerFilters } from "./read-ledger-filters.ts";
import { readLedgerPage } from "./read-ledger-page.ts";
import type { LedgerFilterQuery, LedgerPage } from "./schema.ts";
import { viewEntry } from "./view.ts";

/** A page of the store's allotments, newest first (interface.md 4.3, for people). `after`: a `next` of the same filters. */
export async function listLedger(
  deps: Pick<ReadDeps, "db" | "clock" | "isReplica">,
  { after, ...query }: LedgerFilterQuery & { readonly after?: string },
): Promise<LedgerPage> {
  const { position, faults } = readAfter(after, timeUuidCursor);
  if (faults.length > 0) throw new Problem("invalid", { faults });
  if (deps.isReplica === true && position !== null) await assertSettled(deps, position.at);
  const filters = await readLedgerFilters(deps.db, query);
  const { entries, next, lookedBackTo } = await readLedgerPage(deps, filters, {
    at: position ?? NEWEST,
    rows: PAGE_ROWS,
  });
  return {
    data: entries.map(viewEntry),
    next: next === null ? null : timeUuidCursor.format(next),
    looked_back_to: lookedBackTo === null ? null : formatInstant(lookedBackTo),
  };
}

/** A replica may lack rows before a position that another source gave and that it has not settled. */
async function assertSettled(deps: Pick<ReadDeps, "db" | "clock" | "isReplica">, at: Temporal.Instant): Promise<void> {
  const { settledAt } = await readSettledMark(deps);
  if (settledAt !== null && Temporal.Instant.compare(at, settledAt) <= 0) return;
  throw staleRead("the replica may lack allotments before this position");
}
