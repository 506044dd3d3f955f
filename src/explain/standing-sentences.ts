import type { TierExplanation } from "./explain-tier.ts";
import type { Formatter } from "./formatter.ts";

/** Returns the explanation of a tier in sentences. */
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
