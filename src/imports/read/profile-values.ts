import { isBirthday, isEmail, isShortId, NAME_LENGTH_MAX } from "../../customers/profile/profile-texts.ts";
import type { CustomerBody } from "../../customers/schema.ts";
import { isCleanText } from "../../http/bodies/json-text.ts";
import type { ImportField } from "../../wire/import-fields.ts";
import { type IssueCode, issueOf, type RowIssue } from "../issue.ts";
import { cellReader, isIssue, issuesOf, type Read, readFlag } from "./cells.ts";
import type { Columns } from "./columns.ts";
import { plainForm } from "./plain-form.ts";

/** The values of a customer in a row, as in a `PUT`; absent: unknown. */
export interface ProfileValues {
  /** The id in the row, or its issue if it is invalid. */
  readonly storefrontId: string | RowIssue;
  readonly profile: CustomerBody;
}

/** The prefix with which Shopify's file of customers prevents a spreadsheet from rounding an id. */
const GUARDED_ID = /^'(?=\d+$)/;
/** A long number whose last digits a spreadsheet has lost. */
const ROUNDED_ID = /^\d(?:[.,]\d+)?E\+\d+$/i;

const YEAR_FIRST =
  /^(?:(?<year>\d{4})(?<mark>[/.-])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})|(?:(?<year>\d{4}) ?年 ?)?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?日)$/;

/**
 * Returns the values of a row of customers, or all its issues except those of the customer. An empty cell has no value. If customers are matched by
 * e-mail, the row needs one, and an invalid id is not an issue yet, because it may not be needed.
 */
export function profileValues(cells: readonly string[], columns: Columns, matchByEmail = false): Read<ProfileValues> {
  const cell = cellReader(cells, columns);
  const storefrontId = readId(cell("id").replace(GUARDED_ID, ""));
  const email = readText("email", "email_unclear", cell("email"), isEmail);
  const name = readText("name", "name_too_long", cell("name"), isShortName);
  const reading = readText("name_reading", "name_too_long", cell("name_reading"), isShortName);
  const birthday = readText("birthday", "birthday_unclear", birthdayOf(cell("birthday")), isBirthday);
  const acceptsMarketing = readFlag("accepts_marketing", "marketing_unclear", cell("accepts_marketing"), undefined);
  const accountEnabled = readFlag("account_enabled", "account_unclear", cell("account_enabled"), undefined);
  const fields = [email, name, reading, birthday, acceptsMarketing, accountEnabled].flatMap(issuesOf);
  const missing = matchByEmail && email === undefined ? [issueOf("email_missing", "email", null)] : [];
  const issues = [...(matchByEmail ? missing : issuesOf(storefrontId)), ...fields];
  if (issues.length > 0 || isIssue(email) || isIssue(name) || isIssue(reading) || isIssue(birthday)) return { issues };
  if (isIssue(acceptsMarketing) || isIssue(accountEnabled)) return { issues };
  return {
    storefrontId,
    profile: {
      ...(email === undefined ? {} : { email: email.toLowerCase() }),
      ...(name === undefined ? {} : { name }),
      ...(reading === undefined ? {} : { name_reading: reading }),
      ...(birthday === undefined ? {} : { birthday }),
      ...(acceptsMarketing === undefined ? {} : { accepts_marketing: acceptsMarketing }),
      ...(accountEnabled === undefined ? {} : { account_enabled: accountEnabled }),
    },
  };
}

/**
 * Returns a day in the format of `PUT` from formats of spreadsheets; any other text is unchanged: it is unknown which part of 4/5/1988 is the month.
 */
function birthdayOf(cell: string): string {
  const text = plainForm(cell);
  const { year, month, day } = YEAR_FIRST.exec(text)?.groups ?? {};
  if (month === undefined || day === undefined) return text;
  return `${year ?? "-"}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function isShortName(text: string): boolean {
  return [...text].length <= NAME_LENGTH_MAX;
}

function readId(text: string): string | RowIssue {
  if (text === "") return issueOf("id_missing", "id", null);
  if (!isCleanText(text)) return issueOf("text_unclean", "id", text);
  if (text.includes("@")) return issueOf("id_is_email", "id", text);
  if (ROUNDED_ID.test(plainForm(text))) return issueOf("id_rounded", "id", text);
  return isShortId(text) ? text : issueOf("id_too_long", "id", text);
}

function readText(
  field: ImportField,
  code: IssueCode,
  text: string,
  isRight: (text: string) => boolean,
): string | undefined | RowIssue {
  if (text === "") return undefined;
  if (!isCleanText(text)) return issueOf("text_unclean", field, text);
  return isRight(text) ? text : issueOf(code, field, text);
}
