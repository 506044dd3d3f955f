import type { ReadDeps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { readBalances, type ShownBalance } from "../../ledger/read/read-balances.ts";
import { rulesText } from "../../metrics/customer-metrics.ts";
import { selectMetricsState } from "../../metrics/customer-queries.ts";
import { type CustomerCount, selectCount } from "../../metrics/metric-queries.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import {
  type Cursor,
  NEWEST,
  PAGE_ROWS,
  pageOf,
  pointsCursor,
  type RowsPage,
  readAfter,
  timeUuidCursor,
} from "../list.ts";
import {
  type ListedCustomer,
  SCAN_BRIEFLY,
  selectListedCustomers,
  selectMembersOfDefaultTier,
  selectMembersOfTier,
  selectNewest,
} from "./queries.ts";
import { selectRichest } from "./richest-queries.ts";
import { FOUND_MAX, selectMatching } from "./search-queries.ts";

/** The query of a list of customers: a search text, or a page of all customers. */
export interface CustomersQuery {
  readonly q?: string | undefined;
  readonly sort?: "newest" | "points" | undefined;
  /** Only members of the tier with this uid, newest first. */
  readonly tier?: string | undefined;
  readonly after?: string | undefined;
}

/** How many customers a search found; more may exist if it stopped at its limit. */
export interface Found {
  readonly count: number;
  readonly hasMore: boolean;
}

export interface CustomersPage extends RowsPage<ListedCustomer> {
  /** Null: not a search. */
  readonly found: Found | null;
  /** The number of all customers, or of the tier's members, at the last count; null: a search, or not counted yet. */
  readonly total: number | null;
  readonly balances: ReadonlyMap<string, ShownBalance>;
  readonly program: Program;
}

/**
 * Without a search text, returns a page of customers, of one tier or all, newest or most points first. With one, returns the customers that match,
 * best match or most points first, at most one page, and their number. The id of a merged customer finds the surviving customer. Throws `invalid`
 * (422) for an `after` of another list, and the database's 57014 (503) if reading all customers takes more than 3 seconds.
 */
export async function listCustomers(
  deps: Pick<ReadDeps, "db" | "clock">,
  query: CustomersQuery,
  pageRows: number = PAGE_ROWS,
): Promise<CustomersPage> {
  const typed = (query.q ?? "").normalize("NFKC").trim();
  return deps.db.snapshot(async (tx) => {
    const program = await readProgram(tx);
    if (typed === "" && isScan(query, program)) await tx.execute(SCAN_BRIEFLY);
    const page =
      typed === ""
        ? {
            ...(await readPage(tx, query, program, pageRows)),
            found: null,
            total: totalOf(await selectCount(tx), query, program),
          }
        : { ...(await readFound(tx, typed, query, { program, pageRows })), total: null };
    return { ...page, balances: await readBalances(deps, tx, page.rows), program };
  });
}

/** A customer without a tier, or with a deleted one, counts in the default tier. */
function totalOf(count: CustomerCount | null, { tier }: CustomersQuery, { tiers }: Program): number | null {
  if (count === null) return null;
  if (tier === undefined) return Number(count.customers);
  const known = tiers.rules.find(({ uid }) => uid === tier);
  if (known?.isDefault !== true) return count.tiers[tier] ?? 0;
  const others = tiers.rules.filter(({ uid }) => uid !== tier).map(({ uid }) => count.tiers[uid] ?? 0);
  return Number(count.customers) - others.reduce((sum, customers) => sum + customers, 0);
}

/** Whether the list may have to read all customers: many may have about the same points, and no index leads to the members of the default tier. */
function isScan({ sort, tier }: CustomersQuery, { tiers }: Program): boolean {
  return tier === undefined ? sort === "points" : tiers.rules.some(({ uid, isDefault }) => uid === tier && isDefault);
}

type Snapshot = Parameters<typeof selectListedCustomers>[0];

async function readFound(
  tx: Snapshot,
  typed: string,
  { sort, tier }: CustomersQuery,
  { program, pageRows }: { readonly program: Program; readonly pageRows: number },
): Promise<RowsPage<ListedCustomer> & { readonly found: Found }> {
  const isText = !typed.includes("\0") && typed.isWellFormed();
  const refs = isText ? await selectMatching(tx, typed) : [];
  const all = await selectListedCustomers(tx, refs);
  const chosen = tier === undefined ? all : all.filter((row) => tierUidOf(row, program) === tier);
  const sorted = sort === "points" ? chosen.toSorted((a, b) => Number(b.ledgerPoints - a.ledgerPoints)) : chosen;
  const found = { count: chosen.length, hasMore: refs.length >= FOUND_MAX };
  return { rows: sorted.slice(0, pageRows), next: null, found };
}

/** A customer without a tier, or with a deleted one, is in the default tier. */
function tierUidOf({ tierUid }: ListedCustomer, { tiers }: Program): string | undefined {
  return (tiers.rules.find(({ uid }) => uid === tierUid) ?? tiers.rules.find(({ isDefault }) => isDefault))?.uid;
}

async function readPage(
  tx: Snapshot,
  { sort, tier, after }: CustomersQuery,
  program: Program,
  pageRows: number,
): Promise<RowsPage<ListedCustomer>> {
  const limit = pageRows + 1;
  if (sort === "points" && tier === undefined) {
    const position = positionOf(after, pointsCursor);
    const { isComplete, rules } = await selectMetricsState(tx);
    const hasClasses = isComplete && rules === rulesText({ ...program.expiration, timeZone: program.store.timeZone });
    const found = await selectRichest(tx, position, { hasClasses, rows: limit });
    return pageOf(found, ({ listed }) => pointsCursor.format(listed), pageRows);
  }
  const { at, id } = positionOf(after, timeUuidCursor) ?? NEWEST;
  const before = { createdAt: at, customerUid: id };
  const found =
    tier === undefined
      ? await selectNewest(tx, before, limit)
      : await readMembersOfTier(tx, tier, before, { program, limit });
  return pageOf(found, (last) => timeUuidCursor.format({ at: last.createdAt, id: last.customerUid }), pageRows);
}

function positionOf<Position>(after: string | undefined, cursor: Cursor<Position>): Position | null {
  return withoutFaults(readAfter(after, cursor, "expected the `next` of this list")).position;
}

function readMembersOfTier(
  tx: Snapshot,
  tier: string,
  before: Parameters<typeof selectNewest>[1],
  { program: { tiers }, limit }: { readonly program: Program; readonly limit: number },
): Promise<ListedCustomer[]> {
  const isDefault = tiers.rules.some(({ uid, isDefault }) => uid === tier && isDefault);
  if (!isDefault) return selectMembersOfTier(tx, tier, before.customerUid, limit);
  const others = tiers.rules.map(({ uid }) => uid).filter((uid) => uid !== tier);
  return selectMembersOfDefaultTier(tx, others, before, limit);
}
