import { ACCOUNT_KIND_NAMES } from "../wire/account-kind-names.ts";
import type { Language } from "../wire/language.ts";
import type { Account, AccountLine } from "./account.ts";
import type { AccountWords } from "./account-words.ts";
import { ENGLISH_ACCOUNT } from "./account-words-en.ts";
import { JAPANESE_ACCOUNT } from "./account-words-ja.ts";
import type { BalanceExplanation } from "./explain-balance.ts";
import { createFormatter, type Formatter } from "./formatter.ts";

const WORDS: Readonly<Record<Language, AccountWords>> = { en: ENGLISH_ACCOUNT, ja: JAPANESE_ACCOUNT };

/** Returns the explanation of a balance in sentences that can be read to the customer. */
export function accountSentences(explanation: BalanceExplanation, language: Language): string[] {
  const format = createFormatter(language, explanation.timeZone);
  const words = WORDS[language];
  const { account, owedPoints } = explanation;
  const { points } = format;
  const moved = account.lines.flatMap((line) => lineSentences(line, account, { words, format, language }));
  return [
    words.balanceIs(points(account.available), format.time(explanation.at)),
    ...explanation.history.map((sum) => historyWords(sum, format)),
    words.opening(points(account.opening), format.timeOrNull(explanation.since)),
    ...moved,
    ...(moved.length > 1 ? [words.total(points(account.ledgerPoints))] : []),
    ...(account.heldPoints > 0n ? [format.words.held(points(account.heldPoints))] : []),
    ...(account.duePoints > 0n ? [format.words.due(points(account.duePoints))] : []),
    ...(owedPoints !== null && owedPoints > 0n ? [format.words.owes(points(owedPoints))] : []),
    ...expirySentences(explanation, words, format),
  ];
}

interface Saying {
  readonly words: AccountWords;
  readonly format: Formatter;
  readonly language: Language;
}

function lineSentences(line: AccountLine, { orders }: Account, telling: Saying): string[] {
  const isCounted = line.kind === "order" && orders !== null;
  return [
    ...(line.given === 0n ? [] : [isCounted ? ordersSentence(line, orders, telling) : sentence(line, true, telling)]),
    ...(line.taken === 0n ? [] : [sentence(line, false, telling)]),
  ];
}

function ordersSentence({ given }: AccountLine, orders: bigint, { words, format }: Saying): string {
  return words.orders({ points: format.points(given), count: format.points(orders), isOne: orders === 1n });
}

function sentence(line: AccountLine, gives: boolean, { words, format, language }: Saying): string {
  const { kind, given, taken } = line;
  const say = (gives ? words.given : words.taken)[kind];
  const count = format.points(line.count);
  if (say === undefined) {
    return words.other(ACCOUNT_KIND_NAMES[language][kind], format.change(gives ? given : taken), count);
  }
  // If a kind both gave and took, its count covers both, so the sentence leaves it out.
  const isOne = line.count === 1n || (given !== 0n && taken !== 0n);
  return say({ points: format.points(gives ? given : -taken), count, isOne });
}

function expirySentences(
  { account, slides }: BalanceExplanation,
  words: AccountWords,
  { points, day }: Formatter,
): string[] {
  const { expiries, later } = account;
  const [first] = expiries;
  if (first === undefined) return later > 0n ? [words.laterThanHeld(points(later))] : [];
  const isAll = expiries.length === 1 && later === 0n;
  const said = expiries.map((one) => {
    if (one.at === null) return words.neverExpire(points(one.points));
    return (isAll ? words.allExpire : words.expire)(points(one.points), day(one.at));
  });
  return [...said, ...(later > 0n ? [words.later(points(later))] : []), ...(slides ? [words.slides()] : [])];
}

function historyWords(sum: BalanceExplanation["history"][number], format: Formatter): string {
  const { words, points, change, timeOrNull, day } = format;
  return words.history({
    app: sum.source,
    before: timeOrNull(sum.movedAt),
    lastDay: day(sum.lastAt),
    earned: points(sum.earned),
    used: points(sum.used),
    expired: sum.expired === 0n ? null : points(sum.expired),
    adjusted: sum.adjusted === 0n ? null : change(sum.adjusted),
    movedIn: sum.movedAt === null ? null : points(sum.movedIn),
  });
}
