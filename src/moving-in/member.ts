import { isBirthday, isEmail, isShortId, NAME_LENGTH_MAX } from "../customers/profile-texts.ts";
import { isCleanText } from "../http/json-text.ts";
import type { DateReading } from "../imports/read/row-values.ts";
import { POINTS_MAX } from "../ledger/allotment-types.ts";
import { startOfDate } from "../time/store-time.ts";
import { type DayForm, MEMBER_FIELDS, type MemberField, type Vendor } from "./vendor.ts";

/** Where each field stands in a row of a file, from 0. */
export type MemberColumns = Readonly<Partial<Record<MemberField, number>>>;

/** What a row says of a member. At least one of `id` and `email` is there. */
export interface Member {
  readonly line: number;
  /** The platform's id; null: the file has none. */
  readonly id: string | null;
  /** In lower case. */
  readonly email: string | null;
  readonly name: string | null;
  readonly birthday: string | null;
  readonly acceptsMarketing: boolean | null;
  /** 0 or more. */
  readonly points: bigint;
  /** Null: by the store's own program. */
  readonly expiresAt: Temporal.Instant | null;
  /** As the app calls it. */
  readonly tier: string | null;
}

/** What is wrong with a row. */
export interface MemberFault {
  readonly line: number;
  readonly field: MemberField;
  readonly detail: string;
}

const SIGNS = /[\s_\-.:()[\]'"*/&#]/g;

function plainHeader(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(SIGNS, "");
}

/** Returns where the fields of an app stand by a file's first row. */
export function columnsOf(vendor: Vendor, header: readonly string[]): MemberColumns {
  const names = header.map(plainHeader);
  const columns: Partial<Record<MemberField, number>> = {};
  for (const field of MEMBER_FIELDS) {
    const index = (vendor.headers[field] ?? []).map((name) => names.indexOf(name)).find((at) => at !== -1);
    if (index !== undefined && !Object.values(columns).includes(index)) columns[field] = index;
  }
  return columns;
}

/** Returns the fields that a file of an app cannot do without and this one has not. */
export function missingFields({ hasPlatformIds }: Vendor, columns: MemberColumns): MemberField[] {
  const isNamed = columns.email !== undefined || (hasPlatformIds && columns.id !== undefined);
  return [...(isNamed ? [] : (["email"] as const)), ...(columns.points === undefined ? (["points"] as const) : [])];
}

/** How a file is to be read. */
export interface MemberReading {
  readonly vendor: Vendor;
  readonly columns: MemberColumns;
  readonly dates: DateReading;
}

/** Reads a row of a file. All that is wrong with it is said, not only the first. */
export function readMember(
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  { vendor, columns, dates }: MemberReading,
): Member | readonly MemberFault[] {
  const faults: MemberFault[] = [];
  const row: Row = {
    cell: (field) => (columns[field] === undefined ? "" : (cells[columns[field]] ?? "").trim()),
    fault: (field, detail) => void faults.push({ line, field, detail }),
  };
  const member = {
    line,
    ...readIdentity(row, vendor),
    ...readProfile(row, vendor),
    ...readBalance(row, vendor, dates),
  };
  return faults.length > 0 ? faults : member;
}

interface Row {
  readonly cell: (field: MemberField) => string;
  readonly fault: (field: MemberField, detail: string) => void;
}

const orNull = (text: string) => (text === "" ? null : text);

function readIdentity({ cell, fault }: Row, { hasPlatformIds }: Vendor): Pick<Member, "id" | "email"> {
  const email = cell("email").toLowerCase();
  const id = hasPlatformIds ? cell("id").replace(/^'(?=\d+$)/, "") : "";
  if (email !== "" && !(isCleanText(email) && isEmail(email))) fault("email", "expected an e-mail address");
  if (id !== "" && !(isCleanText(id) && isShortId(id) && !id.includes("@")))
    fault("id", "expected the platform's id of the customer");
  if (email === "" && id === "")
    fault("email", hasPlatformIds ? "expected an e-mail address or an id" : "expected an e-mail address");
  return { id: orNull(id), email: orNull(email) };
}

function readProfile(
  { cell, fault }: Row,
  { days }: Vendor,
): Pick<Member, "name" | "birthday" | "acceptsMarketing" | "tier"> {
  const name = cell("name") || [cell("first_name"), cell("last_name")].filter((part) => part !== "").join(" ");
  const birthday = dayOf(cell("birthday"), days) ?? cell("birthday");
  const tier = cell("tier");
  const isShort = (text: string) => isCleanText(text) && [...text].length <= NAME_LENGTH_MAX;
  if (!isShort(name)) fault("name", `expected at most ${NAME_LENGTH_MAX} characters`);
  if (!isShort(tier)) fault("tier", `expected at most ${NAME_LENGTH_MAX} characters`);
  if (birthday !== "" && !isBirthday(birthday)) fault("birthday", "expected a date that exists");
  return {
    name: orNull(name),
    birthday: orNull(birthday),
    acceptsMarketing: consentOf(cell("accepts_marketing")),
    tier: orNull(tier),
  };
}

function readBalance({ cell, fault }: Row, { days }: Vendor, dates: DateReading): Pick<Member, "points" | "expiresAt"> {
  const points = pointsOf(cell("points"));
  const expiresAt = expiryOf(cell("expires_at"), days, dates);
  if (typeof points === "string") fault("points", points);
  // that nothing has expired is no fault
  if (typeof expiresAt === "string" && points !== 0n) fault("expires_at", expiresAt);
  return {
    points: typeof points === "string" ? 0n : points,
    expiresAt: typeof expiresAt === "string" ? null : expiresAt,
  };
}

/** Whole, with or without thousands separators and a fraction of zeros. */
const NUMBER = /^\+?(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?$/;

function pointsOf(text: string): bigint | string {
  if (text === "") return 0n;
  const [, digits = ""] = NUMBER.exec(text.normalize("NFKC")) ?? [];
  if (digits === "" || digits.length > 40) return "expected a whole number of points, 0 or more";
  const points = BigInt(digits.replaceAll(",", ""));
  return points > POINTS_MAX ? `expected at most ${POINTS_MAX} points` : points;
}

const DAY_PARTS: Readonly<Record<DayForm, RegExp>> = {
  year_first: /^(?<year>\d{4})[/.-](?<month>\d{1,2})[/.-](?<day>\d{1,2})$/,
  day_first: /^(?<day>\d{1,2})[/.-](?<month>\d{1,2})[/.-](?<year>\d{4})$/,
  month_first: /^(?<month>\d{1,2})[/.-](?<day>\d{1,2})[/.-](?<year>\d{4})$/,
};

/** A day as YYYY-MM-DD; undefined: not in the app's form, nor year first. */
function dayOf(text: string, form: DayForm): string | undefined {
  const { year, month, day } = (DAY_PARTS[form].exec(text) ?? DAY_PARTS.year_first.exec(text))?.groups ?? {};
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

const NEVER = new Set(["never", "none", "n/a", "-", "null", "なし"]);
/** A time as databases print it, with a space and without a zone: UTC. */
const PRINTED = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?:utc|z|\+00:?00)?$/i;
const YEARS_MAX = 100;

/** When points expire: an instant, or the end of a day of the store. A text says what was expected. */
function expiryOf(text: string, form: DayForm, { timeZone, now }: DateReading): Temporal.Instant | null | string {
  if (text === "" || NEVER.has(text.toLowerCase())) return null;
  const at = instantOf(text, form, timeZone);
  if (at === undefined || at.since(now).total("hours") > YEARS_MAX * 366 * 24)
    return "expected a date within 100 years, such as 2027-03-31";
  return Temporal.Instant.compare(at, now) <= 0 ? "these points have expired already" : at;
}

function instantOf(text: string, form: DayForm, timeZone: string): Temporal.Instant | undefined {
  try {
    const day = dayOf(text, form);
    if (day !== undefined) return startOfDate(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), timeZone);
    const [, date, time] = PRINTED.exec(text) ?? [];
    const instant = Temporal.Instant.from(date === undefined ? text : `${date}T${time}Z`);
    return instant.round({ smallestUnit: "microsecond", roundingMode: "trunc" });
  } catch {
    return undefined; // no date
  }
}

const YES = new Set(["yes", "y", "true", "1", "subscribed", "opted in", "opt_in", "on", "はい"]);
const NO = new Set([
  "no",
  "n",
  "false",
  "0",
  "unsubscribed",
  "not subscribed",
  "not_subscribed",
  "opted out",
  "off",
  "いいえ",
]);

/** Null: it says nothing that is known; consent is never guessed. */
function consentOf(text: string): boolean | null {
  const plain = text.toLowerCase();
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : null;
}
