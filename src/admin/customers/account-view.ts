import type { BalanceExplanation } from "../../explain/explain-balance.ts";
import type { ShownAccount } from "./account-schema.ts";
import { timeOrNull } from "./view.ts";

/** Why a balance is what it is: sentences, what came and went by kind, and the lots that are left. */
export function accountView(explanation: BalanceExplanation, words: readonly string[]): ShownAccount {
  const { available, opening, ledgerPoints, orders, lines } = explanation.account;
  return {
    words: [...words],
    available: Number(available),
    opening: Number(opening),
    ledger_points: Number(ledgerPoints),
    orders: orders === null ? null : Number(orders),
    lines: lines.map(({ kind, count, given, taken }) => ({
      kind,
      count: Number(count),
      given: Number(given),
      taken: Number(taken),
    })),
    lots: explanation.lots.map(({ source, names, remaining, goesAt }) => ({
      uid: source?.uid ?? null,
      kind: source?.kind ?? null,
      allotted_at: timeOrNull(source?.allottedAt ?? null),
      order_id: names?.orderId ?? null,
      order_name: names?.orderName ?? null,
      line_title: names?.lineTitle ?? null,
      point_value: source === null ? null : Number(source.pointValue),
      remaining: Number(remaining),
      expires_at: timeOrNull(goesAt),
    })),
    lot_count: explanation.lotCount,
  };
}
