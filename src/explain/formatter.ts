import { formatMajor } from "../platforms/money.ts";
import { formatWithOffset } from "../time/store-time.ts";
import type { Language } from "../wire/language.ts";
import type { Messages } from "./messages.ts";
import { ENGLISH } from "./messages-en.ts";
import { JAPANESE } from "./messages-ja.ts";

const MESSAGES: Readonly<Record<Language, Messages>> = { en: ENGLISH, ja: JAPANESE };

/** How one answer writes numbers and times, in the store's zone. */
export interface Formatter {
  readonly words: Messages;
  points(value: bigint): string;
  /** With its sign. */
  change(value: bigint): string;
  money(minor: bigint, currency: string): string;
  /** To the minute. */
  time(instant: Temporal.Instant): string;
  timeOrNull(instant: Temporal.Instant | null): string | null;
}

export function createFormatter(language: Language, timeZone: string): Formatter {
  const time = (instant: Temporal.Instant): string =>
    formatWithOffset(instant, timeZone).slice(0, 16).replace("T", " ");
  return {
    words: MESSAGES[language],
    points: grouped,
    change: (value) => `${value > 0n ? "+" : ""}${grouped(value)}`,
    money: (minor, currency) => `${formatMajor(minor, currency)} ${currency}`,
    time,
    timeOrNull: (instant) => (instant === null ? null : time(instant)),
  };
}

/** "1234567" as "1,234,567". */
function grouped(value: bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}
