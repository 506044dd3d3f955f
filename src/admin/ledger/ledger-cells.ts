import { formatWithOffset } from "../../time/store-time.ts";
import type { LedgerEntry } from "./queries.ts";
import { orderIdOf } from "./view.ts";

/** The columns of the file, in order. */
export const LEDGER_COLUMNS = [
  "allotted_at",
  "type",
  "point_value",
  "balance_after",
  "customer_id",
  "customer_name",
  "customer_email",
  "order_id",
  "object",
  "action",
  "app_reference",
  "actor",
  "reason_type",
  "note",
  "uid",
] as const;

/** The cells of an allotment under `LEDGER_COLUMNS`; times are in the store's zone. */
export function ledgerCells(entry: LedgerEntry, timeZone: string): readonly (string | bigint | null)[] {
  return [
    formatWithOffset(entry.allottedAt, timeZone),
    entry.type,
    entry.pointValue,
    entry.balanceAfter,
    entry.storefrontId,
    entry.name,
    entry.email,
    orderIdOf(entry.parent),
    entry.object,
    entry.action,
    entry.appReference,
    entry.actor,
    entry.reasonType,
    entry.note,
    entry.uid,
  ];
}
