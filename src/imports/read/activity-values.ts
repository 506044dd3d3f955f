import { HISTORY_KINDS, type HistoryKind } from "../../history/history.ts";
import { EARNED_AT_MIN } from "../../ledger/expiry/own-dates.ts";
import { type IssueCode, issueOf, type RowIssue } from "../issue.ts";
import { cellReader, isIssue, issuesOf, type Read } from "./cells.ts";
import type { Columns } from "./columns.ts";
import { momentOf } from "./moments.ts";
import { plainForm } from "./plain-form.ts";
import { type DateReading, type ImportOptions, readNamed, readNote, readWholePoints } from "./row-values.ts";
import { spentOf } from "./spent.ts";

/** What a customer spent elsewhere. */
export interface SpendValues {
  readonly named: string;
  readonly spentMinor: bigint;
  /** Null: the time of the import. */
  readonly happenedAt: Temporal.Instant | null;
}

/** An event in another app. */
export interface HistoryValues {
  readonly named: string;
  readonly happenedAt: Temporal.Instant;
  readonly points: bigint;
  readonly entry: HistoryKind;
  readonly note: string | null;
}

/** Returns the values of a row of spend, or all its issues. */
export function spendValues(
  cells: readonly string[],
  columns: Columns,
  options: ImportOptions,
  dates: DateReading,
): Read<SpendValues> {
  const cell = cellReader(cells, columns);
  const named = readNamed(cell("customer"));
  const spentMinor = codeAsIssue(spentOf(cell("spent"), dates.currency), "spent", cell("spent")) ?? SPENT_MISSING;
  const happenedAt = cell("happened_at") === "" ? null : readMoment(cell("happened_at"), options, dates);
  const issues = [named, spentMinor, happenedAt].flatMap(issuesOf);
  if (isIssue(named) || isIssue(spentMinor) || isIssue(happenedAt)) return { issues };
  return { named, spentMinor, happenedAt };
}

const SPENT_MISSING = issueOf("spent_missing", "spent", null);

function codeAsIssue(read: bigint | null | IssueCode, field: "spent", text: string): bigint | null | RowIssue {
  return typeof read === "string" ? issueOf(read, field, text) : read;
}

/** Returns the values of a row of history, or all its issues. The kind of event comes from its own cell, or from the sign of the points. */
export function historyValues(
  cells: readonly string[],
  columns: Columns,
  options: ImportOptions,
  dates: DateReading,
): Read<HistoryValues> {
  const cell = cellReader(cells, columns);
  const named = readNamed(cell("customer"));
  const happenedAt = readMoment(cell("happened_at"), options, dates);
  const points = readWholePoints(cell("points"), false);
  const known = entryOf(cell("entry"));
  const note = readNote(cell("note") === "" && known === undefined ? cell("entry") : cell("note"), options.note);
  const issues = [named, happenedAt, points, note].flatMap(issuesOf);
  if (isIssue(named) || isIssue(happenedAt) || isIssue(points) || isIssue(note)) return { issues };
  const entry = known ?? (points < 0n ? "used" : "earned");
  const isLoss = entry === "used" || entry === "expired";
  return { named, happenedAt, points: isLoss && points > 0n ? -points : points, entry, note };
}

function readMoment(
  text: string,
  { days }: ImportOptions,
  { timeZone, now }: DateReading,
): Temporal.Instant | RowIssue {
  if (text === "") return issueOf("date_missing", "happened_at", null);
  const at = momentOf(text, { form: days, timeZone, edge: "start" });
  if (at === undefined || Temporal.Instant.compare(at, EARNED_AT_MIN) < 0)
    return issueOf("date_unclear", "happened_at", text);
  return Temporal.Instant.compare(at, now) > 0 ? issueOf("date_in_future", "happened_at", text) : at;
}

const ENTRY_WORDS: Readonly<Record<HistoryKind, string>> = {
  earned: "earn,earned,award,awarded,credit,credited,獲得,付与,加算",
  used: "use,used,redeem,redeemed,redemption,spend,spent,debit,利用,使用",
  expired: "expire,expired,expiration,expiry,失効",
  adjusted: "adjust,adjusted,adjustment,manual,correction,調整",
};
const ENTRIES: ReadonlyMap<string, HistoryKind> = new Map(
  HISTORY_KINDS.flatMap((kind) => ENTRY_WORDS[kind].split(",").map((word) => [word, kind] as const)),
);

function entryOf(text: string): HistoryKind | undefined {
  return ENTRIES.get(plainForm(text).trim().toLowerCase());
}
