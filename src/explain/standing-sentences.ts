import type { BalanceExplanation } from "./explain-balance.ts";
import type { TierExplanation } from "./explain-tier.ts";
import type { Formatter } from "./formatter.ts";

const LINES_MAX = 50;

/** The explanation of a balance in sentences. */
export function balanceSentences(explanation: BalanceExplanation, format: Formatter): string[] {
  const { words } = format;
  const sentences = [
    words.balanceIs(format.points(explanation.available), format.time(explanation.at)),
    ...explanation.history.map((sum) => historyWords(sum, format)),
    words.opening(format.points(explanation.opening), format.timeOrNull(explanation.since)),
    ...explanation.sums.map(({ type, count, given, taken }) =>
      words.sum(words.types[type], format.points(count), format.change(given + taken)),
    ),
  ];
  if (explanation.heldPoints > 0n) sentences.push(words.held(format.points(explanation.heldPoints)));
  if (explanation.duePoints > 0n) sentences.push(words.due(format.points(explanation.duePoints)));
  if (explanation.owedPoints !== null && explanation.owedPoints > 0n)
    sentences.push(words.owes(format.points(explanation.owedPoints)));
  const shown = explanation.lots.slice(0, LINES_MAX);
  for (const { source, remaining, since, goesAt } of shown) {
    sentences.push(
      words.lot({
        remaining: format.points(remaining),
        of: format.points(source?.pointValue ?? remaining),
        source: source === null ? "" : words.types[source.type],
        at: format.time(source?.allottedAt ?? since),
        expires: format.timeOrNull(goesAt),
      }),
    );
  }
  const more = explanation.lotCount - shown.length;
  if (more > 0) sentences.push(words.moreLots(format.points(BigInt(more))));
  return sentences;
}

function historyWords(sum: BalanceExplanation["history"][number], { words, points, change, time }: Formatter): string {
  return words.history({
    app: sum.source,
    before: time(sum.movedAt ?? sum.lastAt),
    earned: points(sum.earned),
    used: points(sum.used),
    expired: sum.expired === 0n ? null : points(sum.expired),
    adjusted: sum.adjusted === 0n ? null : change(sum.adjusted),
    movedIn: points(sum.movedIn),
  });
}

/** The explanation of a tier in sentences. */
export function tierSentences(explanation: TierExplanation, format: Formatter): string[] {
  const { words } = format;
  const { currency, lastChange, minimumTier, advancement } = explanation;
  const money = (minor: bigint): string => format.money(minor, currency);
  const deadline = format.time(advancement.deadline);
  const sentences = [words.tierIs(explanation.tier.name, format.time(explanation.at))];
  if (lastChange === null) sentences.push(words.neverPlaced());
  else {
    sentences.push(
      words.lastChange({
        from: lastChange.fromName ?? "-",
        to: lastChange.toName ?? explanation.tier.name,
        at: format.time(lastChange.changedAt),
        cause: words.tierCauses[lastChange.cause] ?? lastChange.cause,
        actor: lastChange.actor,
        spend: lastChange.spendMinor === null ? null : money(lastChange.spendMinor),
      }),
    );
  }
  if (minimumTier !== null) sentences.push(words.floor(minimumTier.name));
  const { keptTier, spentElsewhere } = explanation;
  if (keptTier !== null) sentences.push(words.keptUntil(keptTier.tier.name, format.time(keptTier.until)));
  if (explanation.skipNextCheck) sentences.push(words.skipsCheck(deadline));
  const count = format.points(BigInt(explanation.orders.length));
  sentences.push(words.spent(money(explanation.spent), format.time(explanation.window.start), count, deadline));
  if (spentElsewhere > 0n) sentences.push(words.spentElsewhere(money(spentElsewhere)));
  sentences.push(words.toKeep(explanation.tier.name, money(advancement.maintenance.remaining)));
  const { next } = advancement;
  sentences.push(next === null ? words.highest() : words.toRise(next.rule.name, money(next.remaining)));
  return sentences;
}
