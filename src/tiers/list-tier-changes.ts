import { findCustomer } from "../customers/find-customer.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { PageEnd, Paging } from "../http/paging.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { tierName } from "./evaluation-plan.ts";
import { type StoredTierChange, selectTierChanges } from "./tier-queries.ts";

/** A change of a customer's tier, as it is shown. */
export interface TierChange extends StoredTierChange {
  readonly fromName: string | null;
  readonly toName: string | null;
  /** The currency of `spendMinor`. */
  readonly currency: string;
}

/**
 * Returns a page of the changes of a customer's tier, newest first, each with its cause and the deciding spend (program.md 6). Throws
 * `customer_not_found`, `ambiguous_email`.
 */
export async function listTierChanges(
  deps: Pick<Deps, "db">,
  named: string,
  { page, perPage }: Pick<Paging, "page" | "perPage">,
): Promise<{ readonly changes: readonly TierChange[]; readonly end: PageEnd }> {
  const { db } = deps;
  const [customer, newest] = await Promise.all([findCustomer(db, named), readProgram(db)]);
  const rows = await selectTierChanges(db, customer, { offset: (page - 1) * perPage, limit: perPage + 1 });
  const currencies = await readCurrencies(db, rows);
  const nameOf = (uid: string | null) => (uid === null ? null : tierName(uid, newest.tiers));
  const changes = rows.slice(0, perPage).map((row) => ({
    ...row,
    fromName: row.fromName ?? nameOf(row.fromUid),
    toName: row.toName ?? nameOf(row.toUid),
    currency: currencies.get(row.programVersion ?? 0) ?? newest.store.currency,
  }));
  return { changes, end: { hasMore: rows.length > perPage, nextCursor: null } };
}

/** Reads the currencies in which the programs counted spend, by version. */
async function readCurrencies(queryable: Queryable, rows: readonly StoredTierChange[]): Promise<Map<number, string>> {
  const currencies = new Map<number, string>();
  for (const { programVersion } of rows) {
    if (programVersion === null || currencies.has(programVersion)) continue;
    currencies.set(programVersion, (await readProgramVersion(queryable, programVersion)).store.currency);
  }
  return currencies;
}
