import { startOfDate } from "../../time/store-time.ts";
import type { DayForm } from "../../wire/day-forms.ts";
import { plainForm } from "./plain-form.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** A time after a day, which is ignored: the whole day counts. */
const TIME = String.raw`(?:[ T,]+\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?`;
/** The same, as Japanese spreadsheets write it too. */
const JAPANESE_TIME = String.raw`(?:[ T]*\d{1,2}(?::\d{2}(?::\d{2})?|時\d{1,2}分(?:\d{1,2}秒)?))?`;
const NAMED: readonly RegExp[] = [
  new RegExp(String.raw`^(?<name>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})${TIME}$`, "i"),
  new RegExp(String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th)? (?<name>[a-z]{3,9})\.?,? (?<year>\d{4})${TIME}$`, "i"),
];
const YEAR_FIRST = /^(?<year>\d{4})(?:[/.-]| ?年 ?)(?<month>\d{1,2})(?:[/.-]| ?月 ?)(?<day>\d{1,2})(?: ?日)?$/;
/** Without separators, as exports of databases have it. No day or month comes first where these digits are a year. */
const COMPACT = /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})$/;
const MONTH_AND_DAY = String.raw`(?<month>\d{1,2})(?:[/.]| ?月 ?)(?<day>\d{1,2})(?: ?日)?`;
/** With a time; behind a day with hyphens it is a time of UTC. */
const YEAR_FIRST_WITH_TIME = new RegExp(String.raw`^(?<year>\d{4})(?:[/.]| ?年 ?)${MONTH_AND_DAY}${JAPANESE_TIME}$`);
/** A year of an emperor, 令和8年 or R8. */
const OF_ERA = new RegExp(
  String.raw`^(?<era>令和|平成|昭和|大正|明治|[RHSTM])\.? ?(?<count>元|\d{1,2})(?:[/.-]| ?年 ?)${MONTH_AND_DAY.replace("[/.]", "[/.-]")}${JAPANESE_TIME}$`,
  "i",
);
/** The year before the first one of each. */
const ERAS: Readonly<Record<string, number>> = {
  ...{ 令和: 2018, r: 2018, 平成: 1988, h: 1988, 昭和: 1925, s: 1925, 大正: 1911, t: 1911, 明治: 1867, m: 1867 },
};
const OF_FORM: Readonly<Record<DayForm, RegExp>> = {
  year_first: YEAR_FIRST,
  day_first: new RegExp(String.raw`^(?<day>\d{1,2})[/.-](?<month>\d{1,2})[/.-](?<year>\d{4})${TIME}$`, "i"),
  month_first: new RegExp(String.raw`^(?<month>\d{1,2})[/.-](?<day>\d{1,2})[/.-](?<year>\d{4})${TIME}$`, "i"),
};

/** Returns a day as YYYY-MM-DD, whether it is valid or not; undefined: not in this form, nor year first, nor with the month's name. */
export function dayOf(text: string, form: DayForm): string | undefined {
  const forms = [OF_FORM[form], YEAR_FIRST, YEAR_FIRST_WITH_TIME, COMPACT, ...NAMED, OF_ERA];
  const found = forms.map((each) => each.exec(text)?.groups).find((groups) => groups !== undefined);
  const { month, day, name } = found ?? {};
  const year = found?.["year"] ?? yearOfEra(found?.["era"], found?.["count"]);
  const number = name === undefined ? month : String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
  if (year === undefined || day === undefined || number === undefined || number === "0") return undefined;
  return `${year}-${number.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function yearOfEra(era: string | undefined, count: string | undefined): string | undefined {
  const before = era === undefined ? undefined : ERAS[era.toLowerCase()];
  if (before === undefined || count === undefined || Number(count) === 0) return undefined;
  return String(before + (count === "元" ? 1 : Number(count)));
}

/** How a date is parsed. */
export interface MomentReading {
  readonly form: DayForm;
  readonly timeZone: string;
  /** Whether a day means its beginning or its end. */
  readonly edge: "start" | "end";
}

/** A time as databases print it, with a space or without a zone: UTC. */
const PRINTED = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?:utc|z|\+00:?00)?$/i;

/** Returns an instant, or that of a day of the store; undefined: not a date. */
export function momentOf(text: string, { form, timeZone, edge }: MomentReading): Temporal.Instant | undefined {
  try {
    const plain = plainForm(text);
    const day = dayOf(plain, form);
    if (day !== undefined) {
      const date = Temporal.PlainDate.from(day).add({ days: edge === "end" ? 1 : 0 });
      return startOfDate(date.toString(), timeZone);
    }
    const [, date, time] = PRINTED.exec(plain) ?? [];
    const instant = Temporal.Instant.from(date === undefined ? plain : `${date}T${time}Z`);
    return instant.round({ smallestUnit: "microsecond", roundingMode: "trunc" });
  } catch {
    return undefined; // not a date
  }
}
