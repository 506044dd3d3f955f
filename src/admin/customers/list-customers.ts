import type { Deps } from "../../deps.ts";
import { readBalances, type ShownBalance } from "../../ledger/read-balances.ts";
import { Problem } from "../../problems.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { pageOf, pointsPlaceOf, type RowsPage, timePlaceOf } from "./page-after.ts";
import {
  type ListedCustomer,
  PAGE_ROWS,
  SCAN_BRIEFLY,
  selectDefaultMembers,
  selectListed,
  selectMembers,
  selectNewest,
  selectRichest,
} from "./queries.ts";
import { FOUND_MAX, selectMatching } from "./search-queries.ts";

/** What a list of customers is asked for: what was typed, or a page of all. */
export interface CustomersWanted {
  readonly q?: string | undefined;
  readonly sort?: "newest" | "points" | undefined;
  /** Only members of the tier of this uid, newest first. */
  readonly tier?: string | undefined;
  readonly after?: string | undefined;
}

export interface CustomersPage extends RowsPage<ListedCustomer> {
  readonly balances: ReadonlyMap<string, ShownBalance>;
  readonly program: Program;
}

/**
 * Customers that something typed may mean, best first and at most 50; without it a page of all, newest or most points first. Ids lead
 * to whoever has them now: a merged customer's to the surviving one. Throws `invalid` (422) for an `after` that is none of the list's; where all
 * customers had to be looked at for more than 3 seconds, the database's 57014 (503).
 */
export async function listCustomers(deps: Pick<Deps, "db" | "clock">, wanted: CustomersWanted): Promise<CustomersPage> {
  const typed = (wanted.q ?? "").normalize("NFKC").trim();
  return deps.db.snapshot(async (tx) => {
    const program = await readProgram(tx);
    if (typed === "" && isScan(wanted, program)) await tx.execute(SCAN_BRIEFLY);
    const page = typed === "" ? await readPage(tx, wanted, program) : await readFound(tx, typed);
    return { ...page, balances: await readBalances(deps, tx, page.rows), program };
  });
}

/** No index leads to the customers with most points, nor to those who are in no other tier. */
function isScan({ sort, tier }: CustomersWanted, { tiers }: Program): boolean {
  return tier === undefined ? sort === "points" : tiers.rules.some(({ uid, isDefault }) => uid === tier && isDefault);
}

type Snapshot = Parameters<typeof selectListed>[0];

async function readFound(tx: Snapshot, typed: string): Promise<RowsPage<ListedCustomer>> {
  if (typed.includes("\0") || !typed.isWellFormed()) return { rows: [], next: null };
  const refs = await selectMatching(tx, typed);
  return { rows: await selectListed(tx, refs.slice(0, FOUND_MAX)), next: null };
}

const LAST_UID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const LAST_INSTANT = Temporal.Instant.from("9999-12-31T00:00:00Z");

async function readPage(
  tx: Snapshot,
  { sort, tier, after }: CustomersWanted,
  program: Program,
): Promise<RowsPage<ListedCustomer>> {
  if (sort === "points" && tier === undefined) {
    const place = after === undefined ? { points: 2n ** 62n, uid: LAST_UID } : pointsPlaceOf(after);
    if (place === null) throw wrongPlace();
    const found = await selectRichest(tx, { ledgerPoints: place.points, customerUid: place.uid });
    return pageOf(found, PAGE_ROWS, ({ ledgerPoints, customerUid }) => [String(ledgerPoints), customerUid]);
  }
  const place = after === undefined ? { at: LAST_INSTANT, id: LAST_UID } : timePlaceOf(after, { isUuid: true });
  if (place === null) throw wrongPlace();
  const before = { createdAt: place.at, customerUid: place.id };
  const found = tier === undefined ? await selectNewest(tx, before) : await readMembers(tx, tier, before, program);
  return pageOf(found, PAGE_ROWS, ({ createdAt, customerUid }) => [createdAt.toString(), customerUid]);
}

function readMembers(
  tx: Snapshot,
  tier: string,
  before: Parameters<typeof selectNewest>[1],
  { tiers }: Program,
): Promise<ListedCustomer[]> {
  const isDefault = tiers.rules.some(({ uid, isDefault }) => uid === tier && isDefault);
  if (!isDefault) return selectMembers(tx, tier, before.customerUid);
  const others = tiers.rules.map(({ uid }) => uid).filter((uid) => uid !== tier);
  return selectDefaultMembers(tx, others, before);
}

function wrongPlace(): Problem {
  return new Problem("invalid", { faults: [{ parameter: "after", detail: "expected the `next` of this list" }] });
}
