import type { DrawFacts } from "../../explain/allotment-queries.ts";
import type { AllotmentExplanation } from "../../explain/explanation.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { LedgerExplanation } from "./schema.ts";
import { orderIdOf } from "./view.ts";

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
