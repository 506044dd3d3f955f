import { Readable } from "node:stream";
import { staleRead } from "../../db/stale-read.ts";
import type { Deps, ReadDeps } from "../../deps.ts";
import { allotmentSentences } from "../../explain/allotment-sentences.ts";
import { explainAllotment } from "../../explain/explain-allotment.ts";
import { createFormatter } from "../../explain/formatter.ts";
import { readOrderNames } from "../../explain/read-order-names.ts";
import { allotmentQuery } from "../../explain/schema.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { readSettledMark } from "../../ledger/settled-mark/read-settled-mark.ts";
import { formatInstant } from "../../time/store-time.ts";
import { INTEGRATION_NAMES } from "../../wire/integration-names.ts";
import { NEWEST, PAGE_ROWS, readAfter, timeUuidCursor } from "../list.ts";
import { exportLedger } from "./export-ledger.ts";
import { exceedsLook, type Sums, selectLedgerSums } from "./queries.ts";
import { readLedgerFilters } from "./read-ledger-filters.ts";
import { readLedgerPage } from "./read-ledger-page.ts";
import {
  type LedgerFilterQuery,
  type LedgerPage,
  ledgerExplanation,
  ledgerFileQuery,
  ledgerFilters,
  ledgerPage,
  ledgerParams,
  ledgerQuery,
  ledgerTotals,
} from "./schema.ts";
import { viewEntry, viewExplanation, viewTotals } from "./view.ts";
import { sumWalkOf } from "./walk-limits.ts";

const config = { permission: "view" } as const;

/** Routes of the store's allotments: the list, its sums, its file, and the explanation of an allotment. */
export function ledgerAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/ledger",
    { config, schema: { hide: true, querystring: ledgerQuery, response: { 200: ledgerPage } } },
    (request, reply) => runRead(deps, [request, reply], (from) => listLedger(from, request.query)),
  );
  app.get(
    "/ledger/totals",
    { config, schema: { hide: true, querystring: ledgerFilters, response: { 200: ledgerTotals } } },
    async (request, reply) =>
      viewTotals(await runRead(deps, [request, reply], (from) => totalLedger(from, request.query))),
  );
  app.get(
    "/ledger/:uid/explanation",
    {
      config,
      schema: {
        hide: true,
        params: ledgerParams,
        querystring: allotmentQuery,
        response: { 200: ledgerExplanation },
      },
    },
    async (request, reply) => {
      const explanation = await runRead(deps, [request, reply], (from) => explainAllotment(from, request.params.uid));
      const { language = "en" } = request.query;
      const format = createFormatter(language, explanation.timeZone, INTEGRATION_NAMES[language]);
      return { data: viewExplanation(explanation, allotmentSentences(explanation, format)) };
    },
  );
  app.get(
    "/ledger.csv",
    { config: { permission: "lists.export" }, schema: { hide: true, querystring: ledgerFileQuery } },
    async (request, reply) => {
      const { name, pieces } = await exportLedger(deps, request.query);
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}

/** Returns a page of the store's allotments, newest first (interface.md 4.3, for people). `after`: a `next` with the same filters. */
async function listLedger(
  deps: Pick<ReadDeps, "db" | "clock" | "isReplica">,
  { after, ...query }: LedgerFilterQuery & { readonly after?: string },
): Promise<LedgerPage> {
  const { position } = withoutFaults(readAfter(after, timeUuidCursor));
  if (deps.isReplica === true && position !== null) await assertSettled(deps, position.at);
  const filters = await readLedgerFilters(deps.db, query);
  const { entries, next, lookedBackTo } = await readLedgerPage(deps, filters, {
    at: position ?? NEWEST,
    rows: PAGE_ROWS,
  });
  const names = await readOrderNames(deps.db, entries);
  return {
    data: entries.map((entry) => viewEntry(entry, names)),
    next: next === null ? null : timeUuidCursor.format(next),
    looked_back_to: lookedBackTo === null ? null : formatInstant(lookedBackTo),
  };
}

/** Throws if a position that came from another source is not settled on the replica yet, which may lack rows before it. */
async function assertSettled(deps: Pick<ReadDeps, "db" | "clock" | "isReplica">, at: Temporal.Instant): Promise<void> {
  const { settledAt } = await readSettledMark(deps);
  if (settledAt !== null && Temporal.Instant.compare(at, settledAt) <= 0) return;
  throw staleRead("the replica may lack allotments before this position");
}

/** Returns count and sums of everything that the filters match; null if that would read more than a bounded number of rows. */
async function totalLedger(deps: Pick<ReadDeps, "db">, query: LedgerFilterQuery): Promise<Sums | null> {
  const filters = await readLedgerFilters(deps.db, query);
  const walk = sumWalkOf(filters);
  return deps.db.snapshot(async (tx) => {
    return (await exceedsLook(tx, filters, walk)) ? null : selectLedgerSums(tx, filters, walk);
  });
}
