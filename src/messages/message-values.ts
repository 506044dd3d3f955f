import type { Language } from "../wire/language.ts";
import { LOCALES, tidyNumber } from "../wire/text-forms.ts";
import { NO_NAME } from "./built-in-texts.ts";
import { dayAfter } from "./message.ts";
import { greetingName, type MessageValues } from "./template.ts";

/** The facts that one message reports. */
export interface MessageAbout {
  /** The points that expire, and the day of the store on which they are gone. */
  readonly expiry?: { readonly points: bigint; readonly on: string };
  /** The sums of a month, and its first day. */
  readonly month?: MonthSums & { readonly first: string };
}

/** Points; each field is 0 or more. */
export interface MonthSums {
  readonly earned: bigint;
  readonly used: bigint;
  readonly expired: bigint;
}

/** The present balance and tier of a customer. */
export interface CustomerStanding {
  readonly points: bigint;
  readonly tier: string;
}

/** The values of all placeholders, formatted in a language. */
export function messageValues(
  { name, store }: { readonly name: string | null; readonly store: string },
  standing: CustomerStanding,
  about: MessageAbout,
  language: Language,
): MessageValues {
  const locale = LOCALES[language];
  const number = new Intl.NumberFormat(locale);
  const points = (value: bigint | undefined) => (value === undefined ? "" : tidyNumber(number.format(value)));
  const day = (date: string | undefined) => dateText(date, locale, { dateStyle: "long" });
  const { expiry, month } = about;
  return {
    name: greetingName(name) ?? NO_NAME[language],
    store,
    points: points(standing.points),
    tier: standing.tier,
    expiring_points: points(expiry?.points),
    expires_on: day(expiry?.on),
    last_day: day(expiry && dayAfter(expiry.on, -1)),
    month: dateText(month?.first, locale, { year: "numeric", month: "long" }),
    earned: points(month?.earned),
    used: points(month?.used),
    expired: points(month?.expired),
  };
}

function dateText(date: string | undefined, locale: string, form: Intl.DateTimeFormatOptions): string {
  if (date === undefined) return "";
  const noon = Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: "UTC", plainTime: "12:00" });
  return new Intl.DateTimeFormat(locale, { ...form, timeZone: "UTC" }).format(noon.epochMilliseconds);
}
