import type { Tx } from "../../db/pool.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";
import type { CsvImport } from "../csv-import.ts";

// A row is found by its file and bucket only, so each bucket of the batch is read once in each file, and its rows are looked up among the customers by a
// hash, whatever the statistics say: `offset 0` keeps the one from becoming a search for each customer, the select list the other.
const PLACED_LATER = `select distinct r.customer_uid as "customerUid"
from import i
cross join (select distinct k.bucket from unnest($1::smallint[]) as k (bucket)) b
cross join lateral (
  select r.customer_uid,
    r.customer_uid in (select k.customer_uid from unnest($2::uuid[]) as k (customer_uid)) as is_asked
  from import_row r
  where r.import_uid = i.uid
    and r.bucket = b.bucket
    and r.after is not null
    and (r.tier_uid is not null or r.minimum_tier_uid is not null or r.skip_next_check)
  offset 0) r
where i.kind = 'tiers'
  and i.state in ('importing', 'imported')
  and i.started_at > $3
  and r.is_asked`;

/**
 * Returns the uids of those customers to whom a file of tiers that was started later, and not undone, has given a tier, a floor or a skipped check: the
 * same one, perhaps. Their balances are locked: otherwise such a file might place them meanwhile.
 */
export async function readPlacedLater(
  tx: Tx,
  { startedAt, createdAt }: Pick<CsvImport, "startedAt" | "createdAt">,
  customers: readonly CustomerRef[],
): Promise<ReadonlySet<string>> {
  if (customers.length === 0) return new Set();
  const params = [...refKeys(customers), startedAt ?? createdAt];
  const rows = await tx.query<{ customerUid: string }>(PLACED_LATER, params);
  return new Set(rows.map(({ customerUid }) => customerUid));
}
