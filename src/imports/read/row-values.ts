import { isCleanText } from "../../http/bodies/json-text.ts";
import { POINTS_MAX } from "../../ledger/allotment-types.ts";
import type { ExpiryRules } from "../../ledger/expiry/expiry.ts";
import { ownDatesFault } from "../../ledger/expiry/own-dates.ts";
import type { TierRule } from "../../program/program.ts";
import type { TierUpdate } from "../../tiers/tier-update.ts";
import { startOfDate } from "../../time/store-time.ts";
import { type Origin, REASON_TYPES, type ReasonType } from "../../wire/allotment-choices.ts";
import type { DayForm } from "../../wire/day-forms.ts";
import { issueOf, type RowIssue } from "../issue.ts";
import { cellReader, isIssue, issuesOf, type Read, readFlag } from "./cells.ts";
import type { Columns } from "./columns.ts";
import { momentOf } from "./moments.ts";
import { plainForm } from "./plain-form.ts";

/** The defaults for rows without their own values. */
export interface ImportOptions {
  readonly origin: Origin;
  readonly extends: boolean;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  /** For customers: whether a row means the customer with its e-mail, whatever its id. */
  readonly matchByEmail: boolean;
  /** For customers: whether known ones are left unchanged. */
  readonly addsOnly: boolean;
  /** For points and tiers of this service's own lists: a cell of a customer is exactly a storefront id, even if it looks like an e-mail address. */
  readonly exactIds: boolean;
  /** For points: whether a row has the new balance instead of the points to add. */
  readonly setsBalance: boolean;
  /** For another app's file: whether customers who received points from an earlier one of the app get these as well. */
  readonly again: boolean;
  /** For another app's file: it includes the orders placed before this time; null: before it is imported. */
  readonly asOf: Temporal.Instant | null;
  /** The move from another app that the file is a part of; null: none. */
  readonly move: MoveOfPart | null;
  /** For another app's file: the app's name on the command line. */
  readonly vendor: string | null;
  /** For history: the app's name. */
  readonly source: string | null;
  /** For spend and history: how days are written. */
  readonly days: DayForm;
  /** Of a file of another app: how days are written; null: as the app writes them. */
  readonly moveDays: DayForm | null;
  /** Of a file of another app: no check drops a customer below the app's tier before, where a row has no date of its own. */
  readonly keepTiersUntil: Temporal.Instant | null;
}

/** The move that an import is a part of, and the app's name. */
export interface MoveOfPart {
  readonly uid: string;
  readonly source: string;
  /** When the file of the move was uploaded; absent: not stored by an older version, or of orders and history. */
  readonly uploadedAt?: Temporal.Instant;
}

/** How dates of a file are parsed. */
export interface DateReading {
  readonly timeZone: string;
  readonly now: Temporal.Instant;
  /** The newest rules. */
  readonly rules: ExpiryRules;
  readonly currency: string;
}

export interface PointsValues {
  /** A storefront id, or an e-mail in any case. */
  readonly named: string;
  readonly pointValue: bigint;
  readonly extends: boolean;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  /** The points' own expiry; null: as the program says. */
  readonly expiresAt: Temporal.Instant | null;
  /** When the points were earned, if before they are added. */
  readonly earnedAt: Temporal.Instant | null;
}

export interface TierValues {
  readonly named: string;
  readonly update: TierUpdate;
  /** No check lowers the customer's tier before this time; null: the next one may. */
  readonly keepUntil: Temporal.Instant | null;
}

const NOTE_LENGTH_MAX = 255;
const NAMED_LENGTH_MAX = 1_000;
const INTEGER = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)$/;
/** The minus signs of Japanese accounting and typesetting. */
const MINUS = /^[−▲△–]/;
const NONE = new Set("none,-,なし,無し,無".split(","));

/** Returns the values of a row of points, or all its issues. */
export function pointsValues(
  cells: readonly string[],
  columns: Columns,
  options: ImportOptions,
  dates: DateReading,
): Read<PointsValues> {
  const cell = cellReader(cells, columns);
  const named = readNamed(cell("customer"));
  const pointValue = readWholePoints(cell("points"), options.setsBalance || options.move !== null);
  const isExtending = readFlag("extension", "extension_unclear", cell("extension"), options.extends);
  const reasonType = readReason(cell("reason"), options.reasonType);
  const note = readNote(cell("note"), options.note);
  const expiresAt = readExpiry(cell("expires_at"), pointValue, dates);
  const earnedAt = readEarned(cell("earned_at"), { pointValue, expiresAt }, dates);
  const issues = [named, pointValue, isExtending, reasonType, note, expiresAt, earnedAt].flatMap(issuesOf);
  if (isIssue(named) || isIssue(pointValue) || isIssue(isExtending)) return { issues };
  if (isIssue(reasonType) || isIssue(note) || isIssue(expiresAt) || isIssue(earnedAt)) return { issues };
  return { named, pointValue, extends: isExtending, reasonType, note, expiresAt, earnedAt };
}

/** Returns the values of a row of tiers, or all its issues except those of the customer. A tier is given by uid, name or position from 0. */
export function tierValues(
  cells: readonly string[],
  columns: Columns,
  rules: readonly TierRule[],
  dates: DateReading,
): Read<TierValues> {
  const cell = cellReader(cells, columns);
  const named = readNamed(cell("customer"));
  const tier = readTier("tier", cell("tier"), rules);
  const floorText = cell("minimum_tier");
  const minimumTier = isNone(floorText, rules) ? null : readTier("minimum_tier", floorText, rules);
  const skipNextCheck = readFlag("skip_next_check", "skip_unclear", cell("skip_next_check"), undefined);
  const keepUntil = readKeepUntil(cell("tier_until"), tier, dates);
  const issues = [named, tier, minimumTier, skipNextCheck, keepUntil].flatMap(issuesOf);
  if (isIssue(named) || isIssue(tier) || isIssue(minimumTier)) return { issues };
  if (isIssue(skipNextCheck) || isIssue(keepUntil)) return { issues };
  if (tier === undefined && minimumTier === undefined && skipNextCheck === undefined)
    return { issues: [issueOf("nothing_to_change", null, null)] };
  return { named, update: { tier, minimumTier, skipNextCheck }, keepUntil };
}

/** Returns an e-mail address or an id. */
export function readNamed(text: string): string | RowIssue {
  if (text === "") return issueOf("customer_missing", "customer", null);
  if (!isCleanText(text) || text.length > NAMED_LENGTH_MAX) return issueOf("customer_unknown", "customer", text);
  return text;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** A longer expiry is assumed to be a mistake. */
const EXPIRY_YEARS_MAX = 100;

/** Parses an instant, or a day: the points can be used until its end in the store's time zone. */
function readExpiry(
  text: string,
  pointValue: bigint | RowIssue,
  { timeZone, now }: DateReading,
): Temporal.Instant | null | RowIssue {
  if (text === "") return null;
  const at = instantOf(text, timeZone);
  if (at === undefined || at.since(now).total("hours") > EXPIRY_YEARS_MAX * 366 * 24)
    return issueOf("expiry_unclear", "expires_at", text);
  if (!isIssue(pointValue) && pointValue < 0n) return issueOf("expiry_of_deduction", "expires_at", text);
  return Temporal.Instant.compare(at, now) <= 0 ? issueOf("expiry_past", "expires_at", text) : at;
}

/** A day means its beginning. Points that would already have expired are refused. */
function readEarned(
  text: string,
  of: { readonly pointValue: bigint | RowIssue; readonly expiresAt: Temporal.Instant | null | RowIssue },
  { timeZone, now, rules }: DateReading,
): Temporal.Instant | null | RowIssue {
  if (text === "") return null;
  const at = momentOf(text, { form: "year_first", timeZone, edge: "start" });
  if (at === undefined) return issueOf("earned_unclear", "earned_at", text);
  if (!isIssue(of.pointValue) && of.pointValue < 0n) return issueOf("expiry_of_deduction", "earned_at", text);
  const expiresAt = isIssue(of.expiresAt) ? null : of.expiresAt;
  const fault = ownDatesFault({ expiresAt, earnedAt: at }, now, rules);
  if (fault === null) return at;
  return issueOf(fault === "earned_and_expired" ? fault : "earned_unclear", "earned_at", text);
}

/** A day means its end; a past one has no effect. */
function readKeepUntil(
  text: string,
  tier: string | undefined | RowIssue,
  { timeZone, now }: DateReading,
): Temporal.Instant | null | RowIssue {
  if (text === "") return null;
  const at = momentOf(text, { form: "year_first", timeZone, edge: "end" });
  const isFar = at !== undefined && at.since(now).total("hours") > EXPIRY_YEARS_MAX * 366 * 24;
  if (at === undefined || isFar || tier === undefined) return issueOf("keep_until_unclear", "tier_until", text);
  return Temporal.Instant.compare(at, now) <= 0 ? null : at;
}

function instantOf(text: string, timeZone: string): Temporal.Instant | undefined {
  try {
    if (!DATE.test(text))
      return Temporal.Instant.from(text).round({ smallestUnit: "microsecond", roundingMode: "trunc" });
    return startOfDate(Temporal.PlainDate.from(text).add({ days: 1 }).toString(), timeZone);
  } catch {
    return undefined; // not a date
  }
}

/** Decimal places of a whole number, as spreadsheets and data tools write them; three may be thousands. */
const ZERO_DECIMALS = /(?<=\d)\.0{1,2}$/;

/** Parses a whole number as people and spreadsheets write it; 0 only if it is allowed. */
export function readWholePoints(text: string, mayBeZero: boolean): bigint | RowIssue {
  if (text === "") return issueOf("points_missing", "points", null);
  const plain = plainForm(text.replace(MINUS, "-")).replace(MINUS, "-").replace(ZERO_DECIMALS, "");
  if (!INTEGER.test(plain)) return issueOf("points_not_integer", "points", text);
  if (plain.length > 40) return issueOf("points_too_large", "points", text);
  const value = BigInt(plain.replaceAll(",", "").replace("+", ""));
  if (value === 0n && !mayBeZero) return issueOf("points_zero", "points", text);
  if (value < 0n && mayBeZero) return issueOf("balance_negative", "points", text);
  const size = value < 0n ? -value : value;
  return size > POINTS_MAX ? issueOf("points_too_large", "points", text) : value;
}

function readReason(text: string, blank: ReasonType | null): ReasonType | null | RowIssue {
  if (text === "") return blank;
  const plain = text.toLowerCase().replaceAll(" ", "_");
  return REASON_TYPES.find((type) => type === plain) ?? issueOf("reason_unknown", "reason", text);
}

/** Returns a note that can be stored, or its issue. */
export function readNote(text: string, blank: string | null): string | null | RowIssue {
  if (text === "") return blank;
  if (!isCleanText(text)) return issueOf("text_unclean", "note", text);
  return [...text].length > NOTE_LENGTH_MAX ? issueOf("note_too_long", "note", text) : text;
}

function isNone(text: string, rules: readonly TierRule[]): boolean {
  return NONE.has(text.toLowerCase()) && rules.every(({ name }) => name !== text);
}

/** Finds a tier by uid, by name (ignoring case if only one matches), or by position from 0; blank: no change. */
function readTier(
  field: "tier" | "minimum_tier",
  text: string,
  rules: readonly TierRule[],
): string | undefined | RowIssue {
  if (text === "") return undefined;
  const lower = text.toLowerCase();
  const exact = rules.find(({ uid }) => uid === lower) ?? rules.find(({ name }) => name === text);
  const alike = rules.filter(({ name }) => plainForm(name).toLowerCase() === plainForm(lower));
  const plain = plainForm(text);
  const placed = /^\d{1,3}$/.test(plain) ? rules[Number(plain)] : undefined;
  const rule = exact ?? (alike.length === 1 ? alike[0] : undefined) ?? placed;
  return rule?.uid ?? issueOf("tier_unknown", field, text);
}
