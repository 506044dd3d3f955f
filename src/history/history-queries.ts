import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { HistoryEntry } from "./history.ts";

/** An entry as lists show it. `id` distinguishes entries with the same time. */
export interface ListedEntry extends Omit<HistoryEntry, "bucket" | "customerUid" | "importUid" | "n"> {
  readonly id: string;
}

const ID = `h.import_uid || '/' || lpad(h.n::text, 19, '0')`;

const SELECT = `select h.occurred_at as "occurredAt",
  ${ID} as id,
  h.points,
  h.kind,
  h.source,
  h.note
from history_entry h
where h.bucket = $1
  and h.customer_uid = $2
  and h.occurred_at <= $3
  and (h.occurred_at, ${ID}) < ($3, $4)
order by h.occurred_at desc, 2 desc
limit $5`;

/** Returns a customer's entries before a position, newest first. */
export function selectHistory(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { at, id, limit }: { readonly at: Temporal.Instant; readonly id: string; readonly limit: number },
): Promise<ListedEntry[]> {
  return queryable.query<ListedEntry>(SELECT, [bucket, customerUid, at, id, limit]);
}
