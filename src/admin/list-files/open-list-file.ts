import type { Static, TObject } from "typebox";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps, ReadDeps } from "../../deps.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../exports/csv-line.ts";
import { createLimiter } from "../../http/limiter.ts";
import { readProgram } from "../../program/read-program.ts";
import type { Permission } from "../../staff/permissions.ts";
import { formatWithOffset, localDate } from "../../time/store-time.ts";

/** What a cell shows: a time is an instant in UTC, and is written in the store's zone. */
export type ListCell = string | number | null | { readonly at: string | null };

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next: string | null;
}

/** A list of the dashboard as a file: the same rows, filters and order, all of them. */
export interface ListFile<Query extends TObject, Row> {
  /** `/orders` is served as `/orders.csv`. */
  readonly path: string;
  readonly permission: Permission;
  /** The list's own query. */
  readonly query: Query;
  /** A page of the list; the function that the list itself calls. */
  readonly read: (deps: ReadDeps, query: Static<Query>, pageRows: number) => Promise<ListPage<Row>>;
  /** The columns in their order, by their names. */
  readonly columns: Readonly<Record<string, (row: Row) => ListCell>>;
}

/** Rows read at once: what a file needs in memory. */
const PIECE_ROWS = 500;
/** Pages of files that a node reads at once, and that wait: a list that is looked at goes before. */
const limitPages = createLimiter({ running: 2, waiting: 20 });
/** How long a page waits for a replica that has what the first one had. */
const REPLICA_WAIT_MS = 3_000;
/** Filters that may name a person: the audit log is for ever, and does not keep what was typed. */
const PERSONAL_FILTERS: readonly string[] = ["q", "customer", "subject", "subject_id"];

/**
 * A list as a file, which is read page by page, each a short transaction of its own, while the client takes it: reading ends when the client
 * stops. A row that changes its place meanwhile may stand in it twice or not at all. The first page is read at once, so that what is wrong
 * with the filters is refused before the file begins. Written down in the audit log.
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
  const kept = Object.entries(query).map(([key, value]) => [key, PERSONAL_FILTERS.includes(key) ? "given" : value]);
  await recordAction(deps.db, deps, {
    action: "list.exported",
    subject: { kind: "list", id: list },
    after: Object.fromEntries(kept),
  });
  const name = `${list}-${localDate(deps.clock.now(), timeZone)}.csv`;
  return { name, pieces: writePieces() };

  async function* writePieces(): AsyncGenerator<string> {
    const cells = Object.values(file.columns);
    const lineOf = (row: Row) => csvLine(cells.map((cell) => cellText(cell(row), timeZone)));
    yield (hasMark ? BYTE_ORDER_MARK : "") + csvLine(Object.keys(file.columns));
    for (let page = first; ; page = await readPage(deps, file, { ...query, after: page.next ?? "" }, readMs)) {
      if (page.data.length > 0) yield page.data.map(lineOf).join("");
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
  const given = query as Static<Query>; // cast: it passed the list's own schema
  return limitPages(() =>
    deps.reads.run(({ db, ageMs }) => read({ ...deps, db, isReplica: ageMs !== null }, given, PIECE_ROWS), {
      sinceMs,
      waitMs: REPLICA_WAIT_MS,
    }),
  );
}

function cellText(cell: ListCell, timeZone: string): string | bigint | null {
  if (typeof cell === "number") return Number.isInteger(cell) ? BigInt(cell) : String(cell);
  if (typeof cell === "string" || cell === null) return cell;
  return cell.at === null ? null : formatWithOffset(Temporal.Instant.from(cell.at), timeZone);
}
