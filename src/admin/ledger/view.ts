import { formatInstant } from "../../time/store-time.ts";
import type { LedgerEntry, Sums } from "./queries.ts";
import type { LedgerRow, LedgerTotals } from "./schema.ts";

const ORDER = "order-";

export function viewEntry(entry: LedgerEntry): LedgerRow {
  const { uid, type, object, parent, action, actor, note } = entry;
  return {
    ...{ uid, type, object, parent, action, actor, note },
    allotted_at: formatInstant(entry.allottedAt),
    point_value: Number(entry.pointValue),
    balance_after: Number(entry.balanceAfter),
    customer: { id: entry.storefrontId, name: entry.name, email: entry.email, is_deleted: entry.isDeleted },
    order_id: orderIdOf(parent),
    app_reference: entry.appReference,
    reason_type: entry.reasonType,
  };
}

export function orderIdOf(parent: string | null): string | null {
  return parent?.startsWith(ORDER) === true ? parent.slice(ORDER.length) : null;
}

/** `sums` null: there was too much to add up. */
export function viewTotals(sums: Sums | null): LedgerTotals {
  if (sums === null) return { data: { is_whole: false, count: 0, earned: 0, spent: 0 } };
  const { count, earned, spent } = sums;
  return { data: { is_whole: true, count: Number(count), earned: Number(earned), spent: Number(spent) } };
}
