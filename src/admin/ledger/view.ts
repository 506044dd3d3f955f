import type { DrawFacts } from "../../explain/allotment-queries.ts";
import type { AllotmentExplanation } from "../../explain/explanation.ts";
import type { OrderNames } from "../../explain/read-order-names.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { LedgerEntry, Sums } from "./queries.ts";
import type { LedgerExplanation, LedgerRow, LedgerTotals } from "./schema.ts";

const ORDER = "order-";

export function viewEntry(entry: LedgerEntry, names: ReadonlyMap<string, OrderNames>): LedgerRow {
  const { uid, type, object, parent, action, actor, note } = entry;
  return {
    ...{ uid, type, object, parent, action, actor, note },
    allotted_at: formatInstant(entry.allottedAt),
    point_value: Number(entry.pointValue),
    balance_after: Number(entry.balanceAfter),
    customer: { id: entry.storefrontId, name: entry.name, email: entry.email, is_deleted: entry.isDeleted },
    order_id: orderIdOf(parent),
    order_name: names.get(uid)?.orderName ?? null,
    app_reference: entry.appReference,
    reason_type: entry.reasonType,
  };
}

export function orderIdOf(parent: string | null): string | null {
  return parent?.startsWith(ORDER) === true ? parent.slice(ORDER.length) : null;
}

/** `sums` null: there were too many rows to sum. */
export function viewTotals(sums: Sums | null): LedgerTotals {
  if (sums === null) return { data: { is_whole: false, count: 0, earned: 0, spent: 0 } };
  const { count, earned, spent } = sums;
  return { data: { is_whole: true, count: Number(count), earned: Number(earned), spent: Number(spent) } };
}

export function viewExplanation(explanation: AllotmentExplanation, words: readonly string[]): LedgerExplanation {
  const { allotment, draws, usedBy, lots } = explanation;
  const { uid, type, object, action, actor, note, pointValue, balanceAfter } = allotment;
  return {
    ...{ uid, type, object, action, actor, note },
    customer: { id: allotment.storefrontId, name: allotment.customerName, email: allotment.customerEmail },
    point_value: Number(pointValue),
    allotted_at: formatInstant(allotment.allottedAt),
    balance_before: Number(balanceAfter - pointValue),
    balance_after: Number(balanceAfter),
    source_key: allotment.sourceKey,
    order_id: orderIdOf(allotment.parent) ?? explanation.order?.orderId ?? null,
    order_name: explanation.order?.kept.orderName ?? null,
    app_reference: allotment.appReference,
    reason_type: allotment.reasonType,
    program_version: allotment.programVersion,
    draws: draws.map(viewDraw),
    used_by: usedBy.map(viewDraw),
    remaining: Number(lots.reduce((total, { remaining }) => total + remaining, 0n)),
    words: [...words],
  };
}

function viewDraw({ uid, points, type, allottedAt, parent }: DrawFacts): LedgerExplanation["draws"][0] {
  return { uid, type, points: Number(points), allotted_at: formatInstant(allottedAt), order_id: orderIdOf(parent) };
}
