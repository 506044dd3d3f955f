import { isBirthday, isEmail, isShortId } from "../customers/profile/profile-texts.ts";
import { isCleanText } from "../http/bodies/json-text.ts";
import { type IssueCode, issueOf, type StoredIssue, storedIssue } from "../imports/issue.ts";
import { cellReader, extraCells } from "../imports/read/cells.ts";
import type { Columns } from "../imports/read/columns.ts";
import { momentOf } from "../imports/read/moments.ts";
import { plainForm } from "../imports/read/plain-form.ts";
import { spentOf } from "../imports/read/spent.ts";
import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import { type OwnDateFault, ownDatesFault } from "../ledger/expiry/own-dates.ts";
import { MOVE_FIELDS, type MoveField } from "../wire/import-fields.ts";
import { birthdayOf, consentOf, hasNoDate, isShortText, joinedName, pointsOf } from "./member-values.ts";
import type { Vendor } from "./vendor.ts";
import { VENDORS } from "./vendors/index.ts";

/** A member as a row describes them. At least one of `id` and `email` is not null. */
export interface Member {
  /** The number of the row, from 1 without the header. */
  readonly n: number;
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
  /** Null: as the store's program says. */
  readonly expiresAt: Temporal.Instant | null;
  readonly earnedAt: Temporal.Instant | null;
  /** Money spent so far, in minor units of the store's currency. */
  readonly spentMinor: bigint | null;
  /** The app's name for it. */
  readonly tier: string | null;
  /** No check lowers the member's tier before this time. */
  readonly tierUntil: Temporal.Instant | null;
}

const SIGNS = /[\s_\-.:()[\]'"*/&#]/g;

function plainHeader(text: string): string {
  return plainForm(text).toLowerCase().replace(SIGNS, "");
}

/** Returns the columns of an app's fields, from a file's first row. */
export function columnsOf(vendor: Vendor, header: readonly string[]): Columns {
  const names = header.map(plainHeader);
  const columns: Partial<Record<MoveField, number>> = {};
  for (const field of MOVE_FIELDS) {
    const index = (vendor.headers[field] ?? []).map((name) => names.indexOf(name)).find((at) => at !== -1);
    if (index !== undefined && !Object.values(columns).includes(index)) columns[field] = index;
  }
  return columns;
}

/** Returns the required fields that the file lacks. */
export function missingFields(columns: Columns): MoveField[] {
  const isNamed = columns.email !== undefined || columns.id !== undefined;
  return [...(isNamed ? [] : (["email"] as const)), ...(columns.points === undefined ? (["points"] as const) : [])];
}

/**
 * Returns the app that a file matches best, by the names in its first row and the file's name; undefined: it matches none, or has no members or
 * points.
 */
export function vendorOf(header: readonly string[], fileName: string): Vendor | undefined {
  const name = plainHeader(fileName);
  const names = new Set(header.map(plainHeader));
  const ranked = VENDORS.flatMap((vendor) => {
    const columns = columnsOf(vendor, header);
    if (missingFields(columns).length > 0) return [];
    const marks = vendor.marks.filter((mark) => names.has(mark)).length;
    return [{ vendor, known: Object.keys(columns).length + 2 * marks + (name.includes(vendor.name) ? 4 : 0) }];
  });
  const [first] = ranked.toSorted((a, b) => b.known - a.known);
  return first?.vendor;
}

/** How a file is to be read. */
export interface MemberReading {
  readonly vendor: Vendor;
  readonly columns: Columns;
  /** The number of cells of the header. */
  readonly headerCount: number;
  readonly now: Temporal.Instant;
  readonly currency: string;
  readonly rules: ExpiryRules;
}

interface FileRow {
  readonly n: number;
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads a row of a file. Returns all its faults, not only the first. */
export function readMember(row: FileRow, reading: MemberReading): Member | readonly StoredIssue[] {
  const { n, line, cells } = row;
  const issues = extraCells(cells, reading.headerCount).map((issue) => storedIssue(row, issue));
  const read: RowReading = {
    ...reading,
    cell: cellReader(cells, reading.columns),
    fault: (code, field, value) => void issues.push(storedIssue(row, issueOf(code, field, value))),
  };
  const member = { n, line, ...readIdentity(read), ...readProfile(read), ...readBalance(read), ...readStanding(read) };
  return issues.length > 0 ? issues : member;
}

interface RowReading extends MemberReading {
  readonly cell: (field: MoveField) => string;
  readonly fault: (code: IssueCode, field: MoveField, value: string | null) => void;
}

const orNull = (text: string) => (text === "" ? null : text);

/** In the first column of the line with the sums of a table: not an id. */
const TOTALS = /^(?:(?:grand|sub)[ -]?)?(?:totals?|sum|summe|合計|総計|小計)\s*[:：]?$/i;

function readIdentity({ cell, fault }: RowReading): Pick<Member, "id" | "email"> {
  const email = cell("email").toLowerCase();
  const named = cell("id").replace(/^'(?=\d+$)/, "");
  const isNone = named === "0" || (email === "" && TOTALS.test(named)); // some apps want a 0 in cells without a value
  const id = isNone ? "" : named;
  if (email !== "" && !(isCleanText(email) && isEmail(email))) fault("email_unclear", "email", email);
  if (id.includes("@")) fault("id_is_email", "id", id);
  else if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(id)) fault("id_rounded", "id", id);
  else if (id !== "" && !(isCleanText(id) && isShortId(id))) fault("id_too_long", "id", id);
  if (email === "" && id === "") fault("customer_missing", "email", null);
  return { id: orNull(id), email: orNull(email) };
}

function readProfile({ cell, fault, vendor }: RowReading): Pick<Member, "name" | "birthday" | "acceptsMarketing"> {
  const part = (field: MoveField) => (cell(field) === "0" ? "" : cell(field)); // some apps want a 0 in cells without a value
  const name = part("name") || joinedName({ first: part("first_name"), last: part("last_name") });
  const birthday = birthdayOf(cell("birthday"), vendor.days);
  if (!isShortText(name)) fault("name_too_long", "name", name);
  if (birthday !== "" && !isBirthday(birthday)) fault("birthday_unclear", "birthday", cell("birthday"));
  const acceptsMarketing = consentOf(cell("accepts_marketing"));
  return { name: orNull(name), birthday: orNull(birthday), acceptsMarketing };
}

const DATE_FAULTS: Readonly<Record<OwnDateFault, readonly [IssueCode, MoveField]>> = {
  expires_in_past: ["expiry_past", "expires_at"],
  expires_too_far: ["expiry_unclear", "expires_at"],
  earned_in_future: ["earned_unclear", "earned_at"],
  earned_too_early: ["earned_unclear", "earned_at"],
  earned_and_expired: ["earned_and_expired", "earned_at"],
};

function readBalance(read: RowReading): Pick<Member, "points" | "expiresAt" | "earnedAt" | "spentMinor"> {
  const { cell, fault, vendor, now, rules, currency } = read;
  const points = pointsOf(cell("points"), vendor.hasFractions === true);
  const expiresAt = readMoment(read, "expires_at", "end");
  const earnedAt = readMoment(read, "earned_at", "start");
  const spentMinor = spentOf(cell("spent"), currency);
  if (typeof points === "string") fault(points, "points", cell("points"));
  if (typeof spentMinor === "string") fault(spentMinor, "spent", cell("spent"));
  const known = typeof points === "string" ? 0n : points;
  // an expiry in the past is a fault only if there are points
  if (points !== 0n) {
    if (expiresAt === undefined) fault("expiry_unclear", "expires_at", cell("expires_at"));
    if (earnedAt === undefined) fault("earned_unclear", "earned_at", cell("earned_at"));
    const dates = { expiresAt: expiresAt ?? null, earnedAt: earnedAt ?? null };
    const wrong = ownDatesFault(dates, now, rules);
    if (wrong !== null) fault(...DATE_FAULTS[wrong], cell(DATE_FAULTS[wrong][1]));
  }
  const dateOf = (at: Temporal.Instant | null | undefined) => (known === 0n ? null : (at ?? null));
  return {
    points: known,
    expiresAt: dateOf(expiresAt),
    earnedAt: dateOf(earnedAt),
    spentMinor: typeof spentMinor === "string" ? null : spentMinor,
  };
}

function readStanding(read: RowReading): Pick<Member, "tier" | "tierUntil"> {
  const { cell, fault, now } = read;
  const tier = cell("tier");
  if (!isShortText(tier)) fault("name_too_long", "tier", tier);
  const until = tier === "" ? null : readMoment(read, "tier_until", "end");
  if (until === undefined) fault("keep_until_unclear", "tier_until", cell("tier_until"));
  const isOver = until !== undefined && until !== null && Temporal.Instant.compare(until, now) <= 0;
  return { tier: orNull(tier), tierUntil: isOver ? null : (until ?? null) };
}

/** Returns a date of a row; null: none; undefined: invalid. */
function readMoment(
  { cell, vendor, rules }: RowReading,
  field: MoveField,
  edge: "start" | "end",
): Temporal.Instant | null | undefined {
  const text = cell(field);
  if (hasNoDate(text)) return null;
  return momentOf(text, { form: vendor.days, timeZone: rules.timeZone, edge });
}
