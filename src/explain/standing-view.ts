import type { Static } from "typebox";
import { formatMajor } from "../platforms/money.ts";
import { viewBalance } from "../points/balances/view.ts";
import { formatInstant } from "../time/store-time.ts";
import type { BalanceAccount } from "./explain-balance.ts";
import type { TierAccount } from "./explain-tier.ts";
import type { balanceExplanation, tierExplanation } from "./schema.ts";

export function viewBalanceAccount(
  account: BalanceAccount,
  words: readonly string[],
): Static<typeof balanceExplanation> {
  const { storefrontId, delayMonths, expiresAt, available, owedPoints } = account;
  return {
    data: {
      as_of: formatInstant(account.at),
      program_version: account.programVersion,
      version: account.version,
      point_balance: viewBalance({ storefrontId, delayMonths, expiresAt, points: available, owed: owedPoints }),
      since: timeOrNull(account.since),
      opening: account.opening,
      by_type: account.sums.map((sum) => ({ ...sum, points: sum.given + sum.taken })),
      ledger_points: account.ledgerPoints,
      held_points: account.heldPoints,
      due_points: account.duePoints,
      owed_points: owedPoints,
      lots: account.lots.map(({ source, remaining, goesAt }) => ({
        uid: source?.uid ?? null,
        type: source?.type ?? null,
        point_value: source?.pointValue ?? null,
        allotted_at: timeOrNull(source?.allottedAt ?? null),
        object: source?.object ?? null,
        parent: source?.parent ?? null,
        remaining,
        expires_at: timeOrNull(goesAt),
      })),
      lot_count: account.lotCount,
      words: [...words],
    },
  };
}

export function viewTierAccount(account: TierAccount, words: readonly string[]): Static<typeof tierExplanation> {
  const { advancement, lastChange, currency } = account;
  const money = (minor: bigint) => ({ amount: formatMajor(minor, currency), currency, raw_amount: minor });
  return {
    data: {
      id: account.storefrontId,
      as_of: formatInstant(account.at),
      program_version: account.programVersion,
      tier: account.tier.name,
      tier_uid: account.tier.uid,
      minimum_tier: account.minimumTier?.name ?? null,
      skip_next_check: account.skipNextCheck,
      on_miss: account.onMiss,
      last_change: lastChange === null ? null : viewChange(lastChange),
      next_check: formatInstant(advancement.deadline),
      window_start: formatInstant(account.window.start),
      spent: money(account.spent),
      orders: account.orders.map(({ orderId, creditedAt, minor }) => ({
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

function viewChange(change: NonNullable<TierAccount["lastChange"]>) {
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
