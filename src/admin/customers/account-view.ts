import type { Account } from "../../explain/account.ts";
import type { BalanceExplanation } from "../../explain/explain-balance.ts";
import type { PointStatement } from "../../explain/statement.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { ShownAccount, ShownStatement } from "./account-schema.ts";
import { timeOrNull } from "./view.ts";

/** The explanation of a balance: sentences, points added and removed by kind, and the remaining lots. */
export function accountView(explanation: BalanceExplanation, words: readonly string[]): ShownAccount {
  const { available, opening, ledgerPoints, orders, lines } = explanation.account;
  return {
    words: [...words],
    available: Number(available),
    opening: Number(opening),
    ledger_points: Number(ledgerPoints),
    orders: orders === null ? null : Number(orders),
    lines: lines.map(lineView),
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

function lineView({ kind, count, given, taken }: Account["lines"][number]) {
  return { kind, count: Number(count), given: Number(given), taken: Number(taken) };
}

/** A statement of a period. */
export function statementView(statement: PointStatement): ShownStatement {
  const { storefrontId, name, email, from, until, today, orders } = statement;
  return {
    customer: { id: storefrontId, name, email },
    ...{ from, until, today },
    opening: Number(statement.opening),
    closing: Number(statement.closing),
    available: Number(statement.available),
    orders: orders === null ? null : Number(orders),
    lines: statement.lines.map(lineView),
    earlier_count: Number(statement.earlierCount),
    earlier_points: Number(statement.earlierPoints),
    movements: statement.movements.map(({ at, kind, points, balanceAfter, orderId, orderName, titles }) => ({
      ...{ at: formatInstant(at), kind, points: Number(points), balance_after: Number(balanceAfter) },
      ...{ order_id: orderId, order_name: orderName, titles: [...titles] },
    })),
    expiries: statement.expiries.map(({ at, points }) => ({ expires_at: timeOrNull(at), points: Number(points) })),
    later: Number(statement.later),
  };
}
