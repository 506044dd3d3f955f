import type { Deps } from "../../deps.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { readMerged } from "../../ledger/merge-queries.ts";
import { Problem } from "../../problems.ts";
import { pageOf, type RowsPage } from "../list.ts";
import { findShownCustomer } from "./find-shown-customer.ts";
import { selectTimeline, type TimelineRow } from "./queries.ts";

/** What of a customer's ledger is asked for. */
export interface TimelineQuery {
  readonly type?: string | undefined;
  /** Of a customer who was merged into this one; absent: the customer's own. */
  readonly balance?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * A page of a customer's ledger, newest first; the version is the place, so a deep page costs what the first does. Throws
 * `customer_not_found`, `ambiguous_email`, `invalid` for a balance that is another's.
 */
export async function listTimeline(
  deps: Pick<Deps, "db">,
  named: string,
  { type, balance, after }: TimelineQuery,
): Promise<RowsPage<TimelineRow>> {
  const customer = await findShownCustomer(deps.db, named);
  const owner = balance === undefined ? customer : await mergedOf(deps, customer, balance);
  const before = after === undefined ? 2n ** 62n : BigInt(after);
  const found = await selectTimeline(deps.db, owner, { before, type: type ?? null });
  return pageOf(found, ({ version }) => String(version));
}

async function mergedOf({ db }: Pick<Deps, "db">, customer: CustomerRef, uid: string): Promise<CustomerRef> {
  if (customer.customerUid === uid) return customer;
  const merged = (await readMerged(db, customer)).find(({ customerUid }) => customerUid === uid);
  if (merged !== undefined) return merged;
  const detail = "expected the id of a customer who was merged into this one";
  throw new Problem("invalid", { faults: [{ parameter: "balance", detail }] });
}
