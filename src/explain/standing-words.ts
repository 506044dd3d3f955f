import type { BalanceAccount } from "./explain-balance.ts";
import type { TierAccount } from "./explain-tier.ts";
import type { Teller } from "./tell.ts";

const LINES_MAX = 50;

/** The explanation of a balance in sentences. */
export function balanceWords(account: BalanceAccount, tell: Teller): string[] {
  const { words } = tell;
  const sentences = [
    words.balanceIs(tell.points(account.available), tell.time(account.at)),
    words.opening(tell.points(account.opening), tell.timeOrNull(account.since)),
    ...account.sums.map(({ type, count, given, taken }) =>
      words.sum(words.types[type], tell.points(count), tell.change(given + taken)),
    ),
  ];
  if (account.heldPoints > 0n) sentences.push(words.held(tell.points(account.heldPoints)));
  if (account.duePoints > 0n) sentences.push(words.due(tell.points(account.duePoints)));
  if (account.owedPoints !== null && account.owedPoints > 0n)
    sentences.push(words.owes(tell.points(account.owedPoints)));
  const shown = account.lots.slice(0, LINES_MAX);
  for (const { source, remaining, since, goesAt } of shown) {
    sentences.push(
      words.lot({
        remaining: tell.points(remaining),
        of: tell.points(source?.pointValue ?? remaining),
        source: source === null ? "" : words.types[source.type],
        at: tell.time(source?.allottedAt ?? since),
        expires: tell.timeOrNull(goesAt),
      }),
    );
  }
  const more = account.lotCount - shown.length;
  if (more > 0) sentences.push(words.moreLots(tell.points(BigInt(more))));
  return sentences;
}

/** The explanation of a tier in sentences. */
export function tierWords(account: TierAccount, tell: Teller): string[] {
  const { words } = tell;
  const { currency, lastChange, minimumTier, advancement } = account;
  const money = (minor: bigint): string => tell.money(minor, currency);
  const deadline = tell.time(advancement.deadline);
  const sentences = [words.tierIs(account.tier.name, tell.time(account.at))];
  if (lastChange === null) sentences.push(words.neverPlaced());
  else {
    sentences.push(
      words.lastChange({
        from: lastChange.fromName ?? "-",
        to: lastChange.toName ?? account.tier.name,
        at: tell.time(lastChange.changedAt),
        cause: words.tierCauses[lastChange.cause] ?? lastChange.cause,
        actor: lastChange.actor,
        spend: lastChange.spendMinor === null ? null : money(lastChange.spendMinor),
      }),
    );
  }
  if (minimumTier !== null) sentences.push(words.floor(minimumTier.name));
  if (account.skipNextCheck) sentences.push(words.skipsCheck(deadline));
  const count = tell.points(BigInt(account.orders.length));
  sentences.push(words.spent(money(account.spent), tell.time(account.window.start), count, deadline));
  sentences.push(words.toKeep(account.tier.name, money(advancement.maintenance.remaining)));
  const { next } = advancement;
  sentences.push(next === null ? words.highest() : words.toRise(next.rule.name, money(next.remaining)));
  return sentences;
}
