import type { BalanceExplanation } from "./explain-balance.ts";
import type { TierExplanation } from "./explain-tier.ts";
import type { Teller } from "./tell.ts";

const LINES_MAX = 50;

/** The explanation of a balance in sentences. */
export function balanceSentences(explanation: BalanceExplanation, tell: Teller): string[] {
  const { words } = tell;
  const sentences = [
    words.balanceIs(tell.points(explanation.available), tell.time(explanation.at)),
    words.opening(tell.points(explanation.opening), tell.timeOrNull(explanation.since)),
    ...explanation.sums.map(({ type, count, given, taken }) =>
      words.sum(words.types[type], tell.points(count), tell.change(given + taken)),
    ),
  ];
  if (explanation.heldPoints > 0n) sentences.push(words.held(tell.points(explanation.heldPoints)));
  if (explanation.duePoints > 0n) sentences.push(words.due(tell.points(explanation.duePoints)));
  if (explanation.owedPoints !== null && explanation.owedPoints > 0n)
    sentences.push(words.owes(tell.points(explanation.owedPoints)));
  const shown = explanation.lots.slice(0, LINES_MAX);
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
  const more = explanation.lotCount - shown.length;
  if (more > 0) sentences.push(words.moreLots(tell.points(BigInt(more))));
  return sentences;
}

/** The explanation of a tier in sentences. */
export function tierSentences(explanation: TierExplanation, tell: Teller): string[] {
  const { words } = tell;
  const { currency, lastChange, minimumTier, advancement } = explanation;
  const money = (minor: bigint): string => tell.money(minor, currency);
  const deadline = tell.time(advancement.deadline);
  const sentences = [words.tierIs(explanation.tier.name, tell.time(explanation.at))];
  if (lastChange === null) sentences.push(words.neverPlaced());
  else {
    sentences.push(
      words.lastChange({
        from: lastChange.fromName ?? "-",
        to: lastChange.toName ?? explanation.tier.name,
        at: tell.time(lastChange.changedAt),
        cause: words.tierCauses[lastChange.cause] ?? lastChange.cause,
        actor: lastChange.actor,
        spend: lastChange.spendMinor === null ? null : money(lastChange.spendMinor),
      }),
    );
  }
  if (minimumTier !== null) sentences.push(words.floor(minimumTier.name));
  if (explanation.skipNextCheck) sentences.push(words.skipsCheck(deadline));
  const count = tell.points(BigInt(explanation.orders.length));
  sentences.push(words.spent(money(explanation.spent), tell.time(explanation.window.start), count, deadline));
  sentences.push(words.toKeep(explanation.tier.name, money(advancement.maintenance.remaining)));
  const { next } = advancement;
  sentences.push(next === null ? words.highest() : words.toRise(next.rule.name, money(next.remaining)));
  return sentences;
}
