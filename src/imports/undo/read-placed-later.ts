import type { Tx } from "../../db/pool.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";
import type { CsvImport } from "../csv-import.ts";

const PLACED_LATER = `select distinct r.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join import i on i.kind = 'tiers' and i.state in ('importing', 'imported') and i.started_at > $3
join import_row r on r.import_uid = i.uid and r.bucket = k.bucket and r.customer_uid = k.customer_uid
where r.after is not null`;

/** Returns the uids of those customers whom a file of tiers that was started later, and not undone, has placed: in the same tier, perhaps. */
export async function readPlacedLater(
  tx: Tx,
  { startedAt, createdAt }: Pick<CsvImport, "startedAt" | "createdAt">,
  customers: readonly CustomerRef[],
): Promise<ReadonlySet<string>> {
  const params = [...refKeys(customers), startedAt ?? createdAt];
  const rows = await tx.query<{ customerUid: string }>(PLACED_LATER, params);
  return new Set(rows.map(({ customerUid }) => customerUid));
}
