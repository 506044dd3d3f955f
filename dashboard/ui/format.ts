import type { Language } from "../../src/wire/language.ts";
import {
  DAY_FORM,
  LOCALES,
  MINUTE_FORM,
  MONEY_FORM,
  MONTH_FORM,
  SECOND_FORM,
  tidyNumber,
} from "../../src/wire/text-forms.ts";

export interface FormatSettings {
  readonly language: Language;
  readonly currency: string;
  readonly currencyDigits: number;
  readonly timeZone: string;
}

export interface Format {
  number(value: number): string;
  /** Names in a row: "Gold and Platinum". */
  list(names: readonly string[]): string;
  /** Points, with a sign before them when asked for: `+1,200`, `−30`, `0`. */
  points(value: number, signed?: boolean): string;
  /** A part of 1 as per cent. */
  percent(part: number): string;
  /** Money in minor units. */
  money(minor: number): string;
  /** The day of an instant in the store's zone. */
  date(at: string): string;
  /** A store day, `2026-04-01`, which has no zone. */
  day(day: string): string;
  /** The month of a store day: `March 2026`, `2026年3月`. */
  month(day: string): string;
  /** The instant to the minute in the store's zone. */
  minute(at: string): string;
  /** The instant to the second, with the zone's name. */
  exact(at: string): string;
  /** Within 30 days of `now`: "5 minutes ago", "in 3 days"; else the day. */
  relative(at: string, now: number): string;
}

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const RELATIVE_MAX_S = 30 * DAY_S;

export function createFormat(settings: FormatSettings): Format {
  const locale = LOCALES[settings.language];
  const { timeZone } = settings;
  const number = new Intl.NumberFormat(locale);
  const signed = new Intl.NumberFormat(locale, { signDisplay: "exceptZero" });
  const list = new Intl.ListFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const currency = currencyFormat(locale, settings);
  const date = new Intl.DateTimeFormat(locale, { ...DAY_FORM, timeZone });
  const day = new Intl.DateTimeFormat(locale, { ...DAY_FORM, timeZone: "UTC" });
  const month = new Intl.DateTimeFormat(locale, { ...MONTH_FORM, timeZone: "UTC" });
  const minute = new Intl.DateTimeFormat(locale, { ...MINUTE_FORM, timeZone });
  const exact = new Intl.DateTimeFormat(locale, { ...SECOND_FORM, timeZone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return {
    number: (value) => tidyNumber(number.format(value)),
    list: (names) => list.format(names),
    points: (value, withSign = false) => tidyNumber((withSign ? signed : number).format(value)),
    percent: (part) => percent.format(part),
    money: (minor) => tidyNumber(currency.format(minor / 10 ** settings.currencyDigits)),
    date: (at) => date.format(new Date(at)),
    day: (text) => day.format(new Date(`${text}T00:00:00Z`)),
    month: (text) => month.format(new Date(`${text.slice(0, 7)}-01T00:00:00Z`)),
    minute: (at) => minute.format(new Date(at)),
    exact: (at) => exact.format(new Date(at)),
    relative: (at, now) => {
      const seconds = (new Date(at).getTime() - now) / 1000;
      if (Math.abs(seconds) > RELATIVE_MAX_S) return date.format(new Date(at));
      const [value, unit] = inUnits(seconds);
      return relative.format(value, unit);
    },
  };
}

function currencyFormat(locale: string, { currency, currencyDigits }: FormatSettings): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    ...MONEY_FORM,
    currency,
    minimumFractionDigits: currencyDigits,
    maximumFractionDigits: currencyDigits,
  });
}

function inUnits(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const size = Math.abs(seconds);
  if (size < MINUTE_S) return [0, "second"];
  if (size < HOUR_S) return [Math.trunc(seconds / MINUTE_S), "minute"];
  if (size < DAY_S) return [Math.trunc(seconds / HOUR_S), "hour"];
  return [Math.trunc(seconds / DAY_S), "day"];
}
