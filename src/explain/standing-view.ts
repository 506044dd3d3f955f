import type { Static } from "typebox";
import { formatMajor } from "../platforms/money.ts";
import { viewBalance } from "../points/balances/view.ts";
import { formatInstant } from "../time/store-time.ts";
import { type Account, sumsByType } from "./account.ts";
import type { BalanceExplanation } from "./explain-balance.ts";
import type { TierExplanation } from "./explain-tier.ts";
import type { balanceExplanation, tierExplanation } from "./schema.ts";

export function viewBalanceExplanation(
  explanation: BalanceExplanation,
  words: readonly string[],
): Static<typeof balanceExplanation> {
  const { storefrontId, delayMonths, expiresAt, available, owedPoints } = explanation;
  return {
    data: {
      as_of: formatInstant(explanation.at),
      program_version: explanation.programVersion,
      version: explanation.version,
      point_balance: viewBalance({ storefrontId, delayMonths, expiresAt, points: available, owed: owedPoints }),
      since: timeOrNull(explanation.since),
      history: explanation.history.map(({ source, earned, used, expired, adjusted, movedIn, movedAt, lastAt }) => ({
        ...{ source, earned, used, expired, adjusted, moved_in: movedIn },
        before: formatInstant(movedAt ?? lastAt),
      })),
      opening: explanation.opening,
      by_type: sumsByType(explanation.sums).map((sum) => ({ ...sum, points: sum.given + sum.taken })),
      account: viewAccount(explanation.account),
      ledger_points: explanation.ledgerPoints,
      held_points: explanation.heldPoints,
      due_points: explanation.duePoints,
      owed_points: owedPoints,
      lots: explanation.lots.map(({ source, names, remaining, goesAt }) => ({
        uid: source?.uid ?? null,
        type: source?.type ?? null,
        point_value: source?.pointValue ?? null,
        allotted_at: timeOrNull(source?.allottedAt ?? null),
        object: source?.object ?? null,
        parent: source?.parent ?? null,
        order_name: names?.orderName ?? null,
        line_title: names?.lineTitle ?? null,
        remaining,
        expires_at: timeOrNull(goesAt),
      })),
      lot_count: explanation.lotCount,
      words: [...words],
    },
  };
}

function viewAccount({ lines, orders, expiries, later }: Account) {
  return {
    orders,
    lines: lines.map((line) => ({ ...line, points: line.given + line.taken })),
    expiries: expiries.map(({ at, points }) => ({ expires_at: timeOrNull(at), points })),
    later,
  };
}

export function viewTierExplanation(
  explanation: TierExplanation,
  words: readonly string[],
): Static<typeof tierExplanation> {
  const { advancement, lastChange, currency } = explanation;
  const money = (minor: bigint) => ({ amount: formatMajor(minor, currency), currency, raw_amount: minor });
  return {
    data: {
      id: explanation.storefrontId,
      as_of: formatInstant(explanation.at),
      program_version: explanation.programVersion,
      tier: explanation.tier.name,
      tier_uid: explanation.tier.uid,
      minimum_tier: explanation.minimumTier?.name ?? null,
      skip_next_check: explanation.skipNextCheck,
      kept_tier: explanation.keptTier?.tier.name ?? null,
      kept_until: timeOrNull(explanation.keptTier?.until ?? null),
      on_miss: explanation.onMiss,
      last_change: lastChange === null ? null : viewChange(lastChange),
      next_check: formatInstant(advancement.deadline),
      window_start: formatInstant(explanation.window.start),
      spent: money(explanation.spent),
      spent_elsewhere: money(explanation.spentElsewhere),
      orders: explanation.orders.map(({ orderId, creditedAt, minor }) => ({
        id: orderId,
        credited_at: formatInstant(creditedAt),
        spend: minor,
      })),
      to_keep: money(advancement.maintenance.remaining),
      next_tier: advancement.next?.rule.name ?? null,
      to_rise: advancement.next === null ? null : money(advancement.next.remaining),
      words: [...words],
    },
  };
}

function viewChange(change: NonNullable<TierExplanation["lastChange"]>) {
  return {
    changed_at: formatInstant(change.changedAt),
    from: change.fromName,
    to: change.toName,
    cause: change.cause,
    actor: change.actor,
    check_at: timeOrNull(change.checkAt),
    spend: change.spendMinor,
  };
}

function timeOrNull(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
