import type { AllotmentAccount } from "../../explain/account.ts";
import type { DrawFacts } from "../../explain/allotment-queries.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { LedgerExplanation } from "./schema.ts";
import { orderIdOf } from "./view.ts";

export function viewExplanation(account: AllotmentAccount, words: readonly string[]): LedgerExplanation {
  const { allotment, draws, usedBy, lots } = account;
  const { uid, type, object, action, actor, note, pointValue, balanceAfter } = allotment;
  return {
    ...{ uid, type, object, action, actor, note },
    customer: { id: allotment.storefrontId, name: allotment.customerName, email: allotment.customerEmail },
    point_value: Number(pointValue),
    allotted_at: formatInstant(allotment.allottedAt),
    balance_before: Number(balanceAfter - pointValue),
    balance_after: Number(balanceAfter),
    source_key: allotment.sourceKey,
    order_id: orderIdOf(allotment.parent) ?? account.order?.orderId ?? null,
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
