import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../exports/csv-line.ts";
import { readProgram } from "../../program/read-program.ts";
import { localDate } from "../../time/store-time.ts";
import { NEWEST, type TimePosition } from "../list.ts";
import { limitPages } from "../list-files/open-list-file.ts";
import type { LedgerFilters } from "./filters.ts";
import { LEDGER_COLUMNS, ledgerCells } from "./ledger-cells.ts";
import { readLedgerFilters } from "./read-ledger-filters.ts";
import { type FoundPage, readLedgerPage } from "./read-ledger-page.ts";
import type { LedgerFilterQuery } from "./schema.ts";

type FileDeps = Pick<Deps, "db" | "reads" | "clock">;

/** Rows read at once, which determines the memory that a file needs. */
const PIECE_ROWS = 2_500;
/** How long the second page waits for a replica that has everything that the first page's replica had. */
const REPLICA_WAIT_MS = 3_000;

export interface LedgerFile {
  readonly name: string;
  /** Read as fast as the client takes them; reading ends when the client stops. */
  readonly pieces: AsyncIterable<string>;
}

/**
 * Returns all allotments that match the filters as a CSV file. It is read page by page, each page in a short transaction, so that no long transaction
 * holds up the database; allotments never change. On a replica, each page is read at a moment that includes all that the first page's did. Recorded
 * in the audit log.
 */
export async function exportLedger(
  deps: FileDeps,
  { encoding, ...query }: LedgerFilterQuery & { readonly encoding?: "utf-8" | "utf-8-bom" },
): Promise<LedgerFile> {
  const [filters, { store }] = await Promise.all([readLedgerFilters(deps.db, query), readProgram(deps.db)]);
  const today = localDate(deps.clock.now(), store.timeZone);
  const first = await readFilePage(deps, filters, NEWEST, Number.NEGATIVE_INFINITY);
  await recordAction(deps.db, deps, {
    action: "ledger.exported",
    subject: { kind: "ledger", id: today },
    after: filtersOf(query, filters),
  });
  const span = [query.from, query.to].map((text) => text?.slice(0, 10));
  const name = `ledger-${span[0] ?? "all"}-${span[1] ?? today}.csv`.replaceAll(/[^\w.-]/g, "_");
  const mark = encoding === "utf-8-bom" ? BYTE_ORDER_MARK : "";
  return { name, pieces: writePieces(deps, filters, { first, mark, timeZone: store.timeZone }) };
}

/** Returns the filters for the audit log, without the customer's e-mail: the log is never deleted. */
function filtersOf({ customer: _customer, ...query }: LedgerFilterQuery, { customer }: LedgerFilters): object {
  return customer === null ? query : { ...query, customer_uid: customer.customerUid };
}

interface FilePage extends FoundPage {
  /** When it had been read, by `performance.now()`: it contains nothing later. */
  readonly readMs: number;
}

async function readFilePage(
  { reads }: FileDeps,
  filters: LedgerFilters,
  at: TimePosition,
  sinceMs: number,
): Promise<FilePage> {
  const page = await limitPages(() =>
    reads.run(({ db }) => readLedgerPage({ db }, filters, { at, rows: PIECE_ROWS }), {
      sinceMs,
      waitMs: REPLICA_WAIT_MS,
    }),
  );
  return { ...page, readMs: performance.now() };
}

async function* writePieces(
  deps: FileDeps,
  filters: LedgerFilters,
  { first, mark, timeZone }: { readonly first: FilePage; readonly mark: string; readonly timeZone: string },
): AsyncGenerator<string> {
  yield mark + csvLine(LEDGER_COLUMNS);
  let page = first;
  for (;;) {
    if (page.entries.length > 0) yield page.entries.map((entry) => csvLine(ledgerCells(entry, timeZone))).join("");
    if (page.next === null) return;
    page = await readFilePage(deps, filters, page.next, first.readMs);
  }
}
