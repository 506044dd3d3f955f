/** The form of an e-mail address, in any case. */
export const EMAIL_PATTERN = "^[^\\s@]{1,64}@[^\\s@]{1,255}$";

/** The form of a birthday: `YYYY-MM-DD`, or `--MM-DD` if the year is unknown. */
export const BIRTHDAY_PATTERN = "^(?:\\d{4}-|--)(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$";

/** The form of a locale: `ja`, `ja-JP`, `zh-Hant-TW`. */
export const LOCALE_PATTERN = "^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,3}$";

/** The maximum number of characters of a name. */
export const NAME_LENGTH_MAX = 255;

/** The maximum number of characters of a storefront id, and of its bytes in UTF-8: an index stores no longer key. */
export const ID_LENGTH_MAX = 1_000;
export const ID_BYTES_MAX = 2_600;

const EMAIL = new RegExp(EMAIL_PATTERN, "u");
const BIRTHDAY = new RegExp(BIRTHDAY_PATTERN, "u");

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether a storefront id is short enough to be stored. */
export function isShortId(text: string): boolean {
  return [...text].length <= ID_LENGTH_MAX && new TextEncoder().encode(text).length <= ID_BYTES_MAX;
}

/** Whether a text has the form of a birthday and is a valid date; without a year, 29 February is valid. */
export function isBirthday(text: string): boolean {
  if (!BIRTHDAY.test(text)) return false;
  const [month, day] = [Number(text.slice(-5, -3)), Number(text.slice(-2))];
  const year = text.startsWith("--") ? 2000 : Number(text.slice(0, 4));
  return day <= Temporal.PlainYearMonth.from({ year, month }).daysInMonth;
}
