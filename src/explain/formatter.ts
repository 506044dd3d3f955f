import { exponent, formatMajor } from "../platforms/money.ts";
import type { Language } from "../wire/language.ts";
import { DAY_FORM, LOCALES, MINUTE_FORM, MONEY_FORM, tidyNumber } from "../wire/text-forms.ts";
import type { Messages } from "./messages.ts";
import { ENGLISH } from "./messages-en.ts";
import { JAPANESE } from "./messages-ja.ts";

const MESSAGES: Readonly<Record<Language, Messages>> = { en: ENGLISH, ja: JAPANESE };

/** Formats the numbers and times of one answer, in the store's zone, like the dashboard. */
export interface Formatter {
  readonly words: Messages;
  points(value: bigint): string;
  /** Of a decimal text of 0 or more, which stays exact; a fraction such as `100/3` stays as it is. */
  decimal(text: string): string;
  /** With its sign. */
  change(value: bigint): string;
  money(minor: bigint, currency: string): string;
  /** To the minute. */
  time(instant: Temporal.Instant): string;
  timeOrNull(instant: Temporal.Instant | null): string | null;
  day(instant: Temporal.Instant): string;
  /** The name of an `app_reference`. */
  app(reference: string): string;
}

/** `appNames` are of the dashboard: the interface says each `app_reference` as it is. */
export function createFormatter(
  language: Language,
  timeZone: string,
  appNames: Readonly<Record<string, string>> = {},
): Formatter {
  const locale = LOCALES[language];
  const number = new Intl.NumberFormat(locale);
  const signed = new Intl.NumberFormat(locale, { signDisplay: "exceptZero" });
  const minute = new Intl.DateTimeFormat(locale, { ...MINUTE_FORM, timeZone });
  const day = new Intl.DateTimeFormat(locale, { ...DAY_FORM, timeZone });
  const time = (instant: Temporal.Instant): string => minute.format(instant.epochMilliseconds);
  return {
    words: MESSAGES[language],
    points: (value) => tidyNumber(number.format(value)),
    decimal: (text) => {
      const [whole = "", ...decimals] = text.split(".");
      return text.includes("/") ? text : [number.format(BigInt(whole)), ...decimals].join(".");
    },
    change: (value) => tidyNumber(signed.format(value)),
    money: (minor, currency) => tidyNumber(moneyFormat(locale, currency).format(Number(formatMajor(minor, currency)))),
    time,
    timeOrNull: (instant) => (instant === null ? null : time(instant)),
    day: (instant) => day.format(instant.epochMilliseconds),
    app: (reference) => appNames[reference] ?? reference,
  };
}

function moneyFormat(locale: string, currency: string): Intl.NumberFormat {
  const digits = exponent(currency);
  return new Intl.NumberFormat(locale, {
    ...MONEY_FORM,
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
