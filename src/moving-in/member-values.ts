import { NAME_LENGTH_MAX } from "../customers/profile/profile-texts.ts";
import { isCleanText } from "../http/bodies/json-text.ts";
import type { IssueCode } from "../imports/issue.ts";
import { dayOf } from "../imports/read/moments.ts";
import { plainForm } from "../imports/read/plain-form.ts";
import { plainNumber } from "../imports/read/plain-number.ts";
import { POINTS_MAX } from "../ledger/allotment-types.ts";
import type { DayForm } from "../wire/day-forms.ts";

/** A sign, and how Japanese accounts and typesetters write a minus. */
const SIGN = /^(?:\+|(?<minus>[-−▲△–]))/;
const DIGITS_MAX = 40;
/** What some apps and people write behind the number. */
const UNIT = /\s*(?:pts?|points?|p|ポイント|点)\.?$/i;

/** Parses points, 0 or more; an empty cell is 0. `hasFractions`: decimal places are rounded up; otherwise they must be zeros. */
export function pointsOf(text: string, hasFractions: boolean): bigint | IssueCode {
  if (text === "") return 0n;
  const plain = plainForm(text).replace(UNIT, "");
  const [digits = "", decimals = ""] = plainNumber(plain.replace(SIGN, ""))?.split(".") ?? [];
  if (digits === "") return "points_not_integer";
  const isMore = /[1-9]/.test(decimals);
  const isMinus = SIGN.exec(plain)?.groups?.minus !== undefined;
  if (isMinus && (isMore || /[1-9]/.test(digits))) return "balance_negative";
  if (digits.length > DIGITS_MAX) return "points_too_large";
  if (isMore && !hasFractions) return "points_not_integer";
  const points = BigInt(digits) + (isMore ? 1n : 0n);
  return points > POINTS_MAX ? "points_too_large" : points;
}

/** A date without a year: month first, unless the app writes the day first. */
const YEARLESS: Readonly<Record<DayForm, RegExp>> = {
  year_first: /^(?<month>\d{1,2})[/.-](?<day>\d{1,2})$/,
  month_first: /^(?<month>\d{1,2})[/.-](?<day>\d{1,2})$/,
  day_first: /^(?<day>\d{1,2})[/.-](?<month>\d{1,2})$/,
};
const JAPANESE_YEARLESS = /^(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?日$/;
/** The year of a birthday whose year is unknown, as apps write it. */
const NO_YEAR = /^(?:0000|1004)-/;

/** What apps and people write in a cell without a date; a date of zeros is what databases of apps print. */
const NO_DATE = new Set([
  ...["never", "none", "n/a", "-", "null", "0", "0000-00-00", "0000-00-00 00:00:00"],
  ...["0000/00/00", "0000/00/00 00:00:00", "00000000"],
  ...["なし", "無し", "無", "無期限", "期限なし", "期限無し", "ー", "―"],
]);

/** Whether the text of a cell means that there is no date. */
export function hasNoDate(text: string): boolean {
  return text === "" || NO_DATE.has(plainForm(text).toLowerCase());
}

/** Returns a birthday in the interface's format, whether it is a valid date or not; "": none. */
export function birthdayOf(text: string, form: DayForm): string {
  if (hasNoDate(text)) return "";
  const plain = plainForm(text).replace(/^(\d{4}-\d{2}-\d{2})[T ].*$/, "$1");
  const { month, day } = (YEARLESS[form].exec(plain) ?? JAPANESE_YEARLESS.exec(plain))?.groups ?? {};
  if (month !== undefined && day !== undefined) return `--${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return (dayOf(plain, form) ?? plain).replace(NO_YEAR, "--");
}

const YES = new Set(["yes", "y", "true", "1", "subscribed", "opted in", "opt_in", "on", "はい"]);
const NO = new Set([
  ...["no", "n", "false", "0", "unsubscribed", "not subscribed", "not_subscribed", "opted out", "off", "いいえ"],
]);

/** Returns null for an unknown text; consent is never guessed. */
export function consentOf(text: string): boolean | null {
  const plain = text.toLowerCase();
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : null;
}

const OF_EAST_ASIA = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー\s]+$/u;

/** Joins the parts of a name, in the order of its script: 山田 花子, Hanako Yamada. */
export function joinedName({ first, last }: { readonly first: string; readonly last: string }): string {
  const parts = OF_EAST_ASIA.test(first + last) ? [last, first] : [first, last];
  return parts.filter((text) => text !== "").join(" ");
}

/** Whether a text can be stored as a name. */
export function isShortText(text: string): boolean {
  return isCleanText(text) && [...text].length <= NAME_LENGTH_MAX;
}
