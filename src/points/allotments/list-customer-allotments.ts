import { createHash } from "node:crypto";
import { findCustomer } from "../../customers/find-customer.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { decodeCursor, encodeCursor } from "../../http/paging.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { readMerged } from "../../ledger/merge/merge-queries.ts";
import { readBalances, type ShownBalance } from "../../ledger/read/read-balances.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { type AllotmentFilters, type AllotmentQuery, parseFilters } from "./filters.ts";
import type { AllotmentPage } from "./list-allotments.ts";
import { pageWindow } from "./page-window.ts";
import { type AllotmentRow, allotmentColumns } from "./view.ts";

export interface CustomerAllotmentPage extends AllotmentPage {
  readonly balance: ShownBalance;
}

/**
 * Returns a page of one customer's allotments by version (interface.md 4.4). The version is the position, so a page by number is a range of
 * the primary key, however deep it is. With `point_balance_uid`, returns those of a customer who was merged into this one. Throws 404 for
 * an unknown customer, and 422 for filters that cannot be parsed and for another customer's balance.
 */
export async function listCustomerAllotments(
  deps: Deps,
  named: string,
  query: AllotmentQuery & { readonly point_balance_uid?: string | undefined },
): Promise<CustomerAllotmentPage> {
  const [customer, program] = await Promise.all([findCustomer(deps.db, named), readProgram(deps.db)]);
  const filters = parseFilters(query, program.store.timeZone);
  if ("faults" in filters) throw new Problem("invalid", filters);
  const owner = await ownerOf(deps.db, customer, query.point_balance_uid);
  const [page, balances] = await Promise.all([
    readPage(deps.db, owner, filters),
    readBalances(deps, deps.db, [customer]),
  ]);
  const balance = balances.get(customer.customerUid);
  if (balance === undefined) throw new Problem("customer_not_found");
  return { ...page, balance };
}

async function ownerOf(db: Queryable, customer: CustomerRef, uid: string | undefined): Promise<CustomerRef> {
  if (uid === undefined || uid === customer.customerUid) return customer;
  const merged = (await readMerged(db, customer)).find(({ customerUid }) => customerUid === uid.toLowerCase());
  if (merged !== undefined) return merged;
  const detail = "expected the customer's balance, or one that was merged into it";
  throw new Problem("invalid", { faults: [{ parameter: "point_balance_uid", detail }] });
}

const COLUMNS = allotmentColumns("$1");

const UNFILTERED = `select ${COLUMNS}
from allotment a
where a.bucket = $1 and a.customer_uid = $2 and a.version > $3 and a.version <= $4
order by a.version`;

// The draws of a row are summed for the rows of the page, not for those before it. Citus sums none for the rows of a subquery.
const FILTERED = (direction: "asc" | "desc") => `select ${COLUMNS}
from allotment a
where a.bucket = $1 and a.customer_uid = $2 and a.version in (
  select f.version
  from allotment f
  where f.bucket = $1 and f.customer_uid = $2 and f.version > $3 and f.version <= $4
    and ($5::text is null or f.type = $5)
    and ($6::timestamptz is null or f.allotted_at > $6)
    and ($7::timestamptz is null or f.allotted_at < $7)
  order by f.version ${direction}
  limit $8 offset $9)
order by a.version ${direction}`;
const FILTERED_TEXT = { asc: FILTERED("asc"), desc: FILTERED("desc") } as const;

const LAST_VERSION = `select version
from balance
where bucket = $1 and customer_uid = $2`;

async function readPage(db: Queryable, ref: CustomerRef, filters: AllotmentFilters): Promise<AllotmentPage> {
  const { paging, type, before, after } = filters;
  const [balance] = await db.query<{ version: bigint }>(LAST_VERSION, [ref.bucket, ref.customerUid]);
  const scope = cursorScope(ref, filters);
  const bounds = cursorBounds(filters, scope, balance?.version ?? 0n);
  if (type === null && before === null && after === null) return unfilteredPage(db, ref, filters, bounds);
  const offset = paging.cursor === null ? BigInt(paging.page - 1) * BigInt(paging.perPage) : 0n;
  const params = [
    ref.bucket,
    ref.customerUid,
    bounds.first,
    bounds.last,
    type,
    after,
    before,
    paging.perPage + 1,
    offset,
  ];
  const found = await db.query<AllotmentRow>(FILTERED_TEXT[paging.direction], params);
  const rows = found.slice(0, paging.perPage);
  return { rows, paging, end: pageEnd(filters, rows, found.length > paging.perPage, bounds) };
}

/** The versions in (first, last] that the page may show, and the list for which its cursors are valid. */
interface Bounds {
  readonly first: bigint;
  readonly last: bigint;
  readonly scope: string;
}

const SCOPE_LENGTH = 16;

/** Returns what a cursor is bound to: with another customer, direction or filter its version would silently skip rows. */
function cursorScope({ customerUid }: CustomerRef, { type, before, after, paging }: AllotmentFilters): string {
  const parts = [customerUid, paging.direction, type, before?.toString() ?? null, after?.toString() ?? null];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, SCOPE_LENGTH);
}

async function unfilteredPage(
  db: Queryable,
  ref: CustomerRef,
  filters: AllotmentFilters,
  bounds: Bounds,
): Promise<AllotmentPage> {
  const { paging } = filters;
  const window = pageWindow(paging, Number(bounds.first), Number(bounds.last));
  const found = await db.query<AllotmentRow>(UNFILTERED, [
    ref.bucket,
    ref.customerUid,
    BigInt(window.start),
    BigInt(window.end),
  ]);
  const rows = paging.direction === "asc" ? found : found.toReversed();
  return { rows, paging, end: pageEnd(filters, rows, window.hasMore, bounds) };
}

/** A cursor with one part is from a previous version, which did not bind it; clients that stored one can continue. */
function cursorBounds({ paging }: AllotmentFilters, scope: string, lastVersion: bigint): Bounds {
  if (paging.cursor === null) return { first: 0n, last: lastVersion, scope };
  const [text = "", of = scope] = decodeCursor(paging.cursor) ?? [];
  if (!/^v\d{1,18}$/.test(text) || of !== scope) {
    const detail = "expected a next_cursor of this list: of the same customer, direction and filters";
    throw new Problem("invalid", { faults: [{ parameter: "cursor", detail }] });
  }
  const version = BigInt(text.slice(1));
  return paging.direction === "asc"
    ? { first: version < lastVersion ? version : lastVersion, last: lastVersion, scope }
    : { first: 0n, last: version <= lastVersion + 1n && version > 0n ? version - 1n : lastVersion, scope };
}

function pageEnd(
  { paging }: AllotmentFilters,
  rows: readonly AllotmentRow[],
  hasMore: boolean,
  bounds: Bounds,
): AllotmentPage["end"] {
  const last = rows.at(-1);
  const cursor = (version: bigint) => encodeCursor([`v${version}`, bounds.scope]);
  if (paging.direction === "desc")
    return { hasMore, nextCursor: hasMore && last !== undefined ? cursor(last.version) : null };
  if (last !== undefined) return { hasMore, nextCursor: cursor(last.version) };
  return { hasMore, nextCursor: cursor(paging.cursor === null && paging.page > 1 ? bounds.last : bounds.first) };
}
