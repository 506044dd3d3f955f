import type { Language } from "../../../src/wire/language.ts";
import {
  DAY_FORM,
  LOCALES,
  MINUTE_FORM,
  MONEY_FORM,
  MONTH_FORM,
  SECOND_FORM,
  tidyNumber,
} from "../../../src/wire/text-forms.ts";

export interface FormatSettings {
  readonly language: Language;
  readonly currency: string;
  readonly currencyDigits: number;
  readonly timeZone: string;
}

export interface Format {
  number(value: number): string;
  /** Short, for a chart's axis: `12K`, `1.2万`. */
  compact(value: number): string;
  /** A decimal text with all its digits: `0.75`. */
  decimal(text: string): string;
  /** A list of names: "Gold and Platinum". */
  list(names: readonly string[]): string;
  /** Points, with a sign if `signed`: `+1,200`, `−30`, `0`. */
  points(value: number, signed?: boolean): string;
  /** A part of 1 in per cent, to one digit behind the point: `77.0%`. */
  percent(part: number): string;
  /** A change as a part of 1, in per cent with its sign: `+12.5%`. */
  change(part: number): string;
  /** A decimal text that is already in per cent: `80.25%`. */
  percentText(text: string): string;
  /** Money in minor units. */
  money(minor: number): string;
  /** Money of any currency, in its minor units; a currency other than the store's is named by its code. */
  moneyOf(value: { readonly minor: number; readonly currency: string }): string;
  /** The price of one point, a decimal text in major units. */
  price(major: string): string;
  /** The day of an instant in the store's zone. */
  date(at: string): string;
  /** A store day, `2026-04-01`, which has no zone. */
  day(day: string): string;
  /** A range of store days, both included. */
  days(first: string, last: string): string;
  /** A store day on the axis of a chart: `14 Mar`, `3月14日`. */
  shortDay(day: string): string;
  /** A day of every year, `--04-12`, or of one: `12 April`, `12 Apr 1990`. */
  birthday(day: string): string;
  /** The month of a store day: `March 2026`, `2026年3月`. */
  month(day: string): string;
  /** The month of a store day on the axis of a chart: `Mar ’26`, `26年3月`. */
  shortMonth(day: string): string;
  /** A month of every year, from 1 to 12: `April`. */
  monthName(month: number): string;
  /** The name of a language code, `ja`: `Japanese`, `日本語`; the code if it has no name. */
  languageName(code: string): string;
  /** `Mon`, `月`. */
  weekday(day: string): string;
  /** The instant to the minute in the store's zone. */
  minute(at: string): string;
  /** The instant to the second, with the zone's name. */
  exact(at: string): string;
  /** Within 30 days of `now`: "5 minutes ago", "in 3 days"; otherwise the day. */
  relative(at: string, now: number): string;
}

/** The months for a choice; `monthName` names them. */
export const MONTH_NUMBERS: readonly number[] = Array.from({ length: 12 }, (_, n) => n + 1);

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const RELATIVE_MAX_S = 30 * DAY_S;
const DECIMALS_MAX = 20;
/** A leap year, which has every day. */
const ANY_YEAR = 2024;

/** Creates the formatter of numbers, money and times. No other module of the dashboard formats one, which an architecture rule checks. */
export function createFormat(settings: FormatSettings): Format {
  const locale = LOCALES[settings.language];
  return { ...numbersIn(locale), ...moneyIn(locale, settings), ...daysIn(locale), ...timesIn(locale, settings) };
}

type Numbers =
  | "number"
  | "compact"
  | "decimal"
  | "list"
  | "languageName"
  | "points"
  | "percent"
  | "change"
  | "percentText";

function numbersIn(locale: string): Pick<Format, Numbers> {
  const numbers = (options: Intl.NumberFormatOptions) => once(() => new Intl.NumberFormat(locale, options));
  const number = numbers({});
  const signed = numbers({ signDisplay: "exceptZero" });
  const compact = numbers({ notation: "compact", maximumFractionDigits: 1 });
  const percent = numbers({ style: "percent", ...exactly(1) });
  const change = numbers({ style: "percent", ...exactly(1), signDisplay: "exceptZero" });
  const decimal = numbers({ maximumFractionDigits: DECIMALS_MAX });
  const unit = numbers({ style: "unit", unit: "percent", maximumFractionDigits: DECIMALS_MAX });
  const list = once(() => new Intl.ListFormat(locale));
  const languages = once(() => new Intl.DisplayNames(locale, { type: "language" }));
  return {
    number: (value) => tidyNumber(number().format(value)),
    compact: (value) => tidyNumber(compact().format(value)),
    decimal: (text) => tidyNumber(decimal().format(decimalOf(text))),
    list: (names) => list().format(names),
    languageName: (code) => languages().of(code) ?? code,
    points: (value, withSign = false) => tidyNumber((withSign ? signed : number)().format(value)),
    percent: (part) => tidyNumber(percent().format(part)),
    change: (part) => tidyNumber(change().format(part)),
    percentText: (text) => tidyNumber(unit().format(decimalOf(text))),
  };
}

function moneyIn(
  locale: string,
  { currency, currencyDigits }: FormatSettings,
): Pick<Format, "money" | "moneyOf" | "price"> {
  const form = { ...MONEY_FORM, currency };
  const own = once(() => new Intl.NumberFormat(locale, { ...form, ...exactly(currencyDigits) }));
  const exact = once(
    () =>
      new Intl.NumberFormat(locale, {
        ...form,
        minimumFractionDigits: currencyDigits,
        maximumFractionDigits: DECIMALS_MAX,
      }),
  );
  const money = (minor: number) => tidyNumber(own().format(minor / 10 ** currencyDigits));
  return {
    money,
    moneyOf: ({ minor, currency: other }) => {
      if (other === currency) return money(minor);
      const digits = digitsOf(other);
      const options = { style: "currency", currency: other, currencyDisplay: "code", ...exactly(digits) } as const;
      return tidyNumber(new Intl.NumberFormat(locale, options).format(minor / 10 ** digits));
    },
    price: (major) => tidyNumber(exact().format(decimalOf(major))),
  };
}

type Days = "day" | "days" | "shortDay" | "birthday" | "month" | "shortMonth" | "monthName" | "weekday";

/** Formatters of days, which have no zone. */
function daysIn(locale: string): Pick<Format, Days> {
  const form = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }));
  const day = form(DAY_FORM);
  const shortDay = form({ month: "short", day: "numeric" });
  const yearly = form({ month: "long", day: "numeric" });
  const month = form(MONTH_FORM);
  const shortMonth = form({ month: "short", year: "2-digit" });
  const monthName = form({ month: "long" });
  const weekday = form({ weekday: "short" });
  const startOf = (text: string) => new Date(`${text}T00:00:00Z`);
  const monthOf = (text: string) => startOf(`${text.slice(0, 7)}-01`);
  return {
    day: (text) => day().format(startOf(text)),
    days: (first, last) => day().formatRange(startOf(first), startOf(last)),
    shortDay: (text) => shortDay().format(startOf(text)),
    birthday: (text) =>
      text.startsWith("--") ? yearly().format(startOf(`${ANY_YEAR}-${text.slice(2)}`)) : day().format(startOf(text)),
    month: (text) => month().format(monthOf(text)),
    shortMonth: (text) =>
      shortMonth()
        .format(monthOf(text))
        .replace(/ (\d\d)$/, " ’$1"), // "Mar 26" would be a day
    monthName: (number) => monthName().format(Date.UTC(ANY_YEAR, number - 1, 1)),
    weekday: (text) => weekday().format(startOf(text)),
  };
}

/** Formatters of instants, in the store's zone. */
function timesIn(locale: string, { timeZone }: FormatSettings): Pick<Format, "date" | "minute" | "exact" | "relative"> {
  const form = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }));
  const date = form(DAY_FORM);
  const minute = form(MINUTE_FORM);
  const exact = form(SECOND_FORM);
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  return {
    date: (at) => date().format(new Date(at)),
    minute: (at) => minute().format(new Date(at)),
    exact: (at) => exact().format(new Date(at)),
    relative: (at, now) => {
      const seconds = (new Date(at).getTime() - now) / 1000;
      if (Math.abs(seconds) > RELATIVE_MAX_S) return date().format(new Date(at));
      const [value, unit] = inUnits(seconds);
      return relative().format(value, unit);
    },
  };
}

/** Returns the number of digits of a currency's minor units. */
export function digitsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

function exactly(digits: number) {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

/** Creates a formatter when it is first used: creating one takes longer than showing a row, and a page needs few of them. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function decimalOf(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral; // cast: the service writes decimals
}

function inUnits(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const size = Math.abs(seconds);
  if (size < MINUTE_S) return [0, "second"];
  if (size < HOUR_S) return [Math.trunc(seconds / MINUTE_S), "minute"];
  if (size < DAY_S) return [Math.trunc(seconds / HOUR_S), "hour"];
  return [Math.trunc(seconds / DAY_S), "day"];
}
