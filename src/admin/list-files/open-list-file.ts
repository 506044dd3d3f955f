import type { Static, TObject } from "typebox";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps, ReadDeps } from "../../deps.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../exports/csv-line.ts";
import { createLimiter } from "../../http/limits/limiter.ts";
import { readProgram } from "../../program/read-program.ts";
import type { Permission } from "../../staff/permissions.ts";
import { localDate } from "../../time/store-time.ts";
import { type ListColumns, listLines } from "./list-lines.ts";

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next: string | null;
}

/** A list of the dashboard as a file, with the same filters and order and all rows. */
export interface ListFile<Query extends TObject, Row> {
  /** `/orders` is served as `/orders.csv`. */
  readonly path: string;
  readonly permission: Permission;
  /** The list's own query. */
  readonly query: Query;
  /** Filters of this list that may name a person, besides those that do in every list. */
  readonly personal?: readonly string[];
  /** Reads a page of the list: the function that the list itself calls. */
  readonly read: (deps: ReadDeps, query: Static<Query>, pageRows: number) => Promise<ListPage<Row>>;
  readonly columns: ListColumns<Row>;
}

/** Rows read at once, which determines the memory that a file needs. */
const PIECE_ROWS = 500;
/** The pages of files that a node reads at once, and those that wait: lists that people view have priority. */
export const limitPages = createLimiter({ running: 2, waiting: 20 });
/** How long a page waits for a replica that has everything that the first page's replica had. */
const REPLICA_WAIT_MS = 3_000;
/** Filters that may name a person. The audit log is never deleted, so it does not contain them. */
const PERSONAL_FILTERS: readonly string[] = ["q", "customer", "subject", "subject_id"];

/**
 * Returns a list as a file. It is read page by page, each page in a short transaction, as fast as the client takes it; reading ends when the client
 * stops. A row that changes its position meanwhile may appear twice or not at all. The first page is read at once, so that invalid filters are
 * refused before the file begins. Recorded in the audit log.
 */
export async function openListFile<Query extends TObject, Row>(
  deps: Deps,
  file: ListFile<Query, Row>,
  { query, hasMark }: { readonly query: Record<string, string>; readonly hasMark: boolean },
): Promise<{ name: string; pieces: AsyncIterable<string> }> {
  const { timeZone } = (await readProgram(deps.db)).store;
  const first = await readPage(deps, file, query, Number.NEGATIVE_INFINITY);
  const readMs = performance.now();
  const list = file.path.replaceAll("/", "-").slice(1);
  const personal = [...PERSONAL_FILTERS, ...(file.personal ?? [])];
  const kept = Object.entries(query).map(([key, value]) => [key, personal.includes(key) ? "given" : value]);
  await recordAction(deps.db, deps, {
    action: "list.exported",
    subject: { kind: "list", id: list },
    after: Object.fromEntries(kept),
  });
  const name = `${list}-${localDate(deps.clock.now(), timeZone)}.csv`;
  return { name, pieces: writePieces() };

  async function* writePieces(): AsyncGenerator<string> {
    yield (hasMark ? BYTE_ORDER_MARK : "") + csvLine(Object.keys(file.columns));
    for (let page = first; ; page = await readPage(deps, file, { ...query, after: page.next ?? "" }, readMs)) {
      if (page.data.length > 0) yield listLines(file.columns, page.data, timeZone);
      if (page.next === null) return;
    }
  }
}

function readPage<Query extends TObject, Row>(
  deps: Deps,
  { read }: ListFile<Query, Row>,
  query: Record<string, string>,
  sinceMs: number,
): Promise<ListPage<Row>> {
  const given = query as Static<Query>; // cast: the list's own schema has validated it
  return limitPages(() =>
    deps.reads.run(({ db, ageMs }) => read({ ...deps, db, isReplica: ageMs !== null }, given, PIECE_ROWS), {
      sinceMs,
      waitMs: REPLICA_WAIT_MS,
    }),
  );
}
