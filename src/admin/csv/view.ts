import type { ImportRequest } from "../../adjustments/adjustment-request.ts";
import type { ImportApproval } from "../../adjustments/change-queries.ts";
import type { Excess, Limits } from "../../allowance/allowance.ts";
import type { TierMoves } from "../../imports/check/count-tier-moves.ts";
import {
  ATTEMPTS_MAX,
  type CsvImport,
  DEFAULT_OPTIONS,
  type PhaseTotals,
  type StaffPerson,
  undoneUntil,
} from "../../imports/csv-import.ts";
import type { StoredIssue } from "../../imports/issue.ts";
import { type IssueContext, issueText } from "../../imports/issue-words.ts";
import { type Survey, surveyCodec } from "../../moving-in/survey.ts";
import { VENDORS } from "../../moving-in/vendors/index.ts";
import { formatInstant, localDate, startOfDate } from "../../time/store-time.ts";
import type { UploadKind } from "../../wire/import-fields.ts";
import type { Language } from "../../wire/language.ts";
import type { CheckBody, FaultRow, ImportDetail, ImportRow, ImportSurvey, ImportTotals } from "./schema.ts";

/** An import as it appears in lists. */
export function viewImport(row: CsvImport, totals: readonly PhaseTotals[]): ImportRow {
  const totalsOf = (phase: PhaseTotals["phase"]) =>
    viewTotals(
      row.kind,
      totals.find((each) => each.phase === phase),
    );
  return {
    uid: row.uid,
    kind: row.kind,
    state: row.state,
    file_name: row.fileName,
    created_at: formatInstant(row.createdAt),
    created_by: row.createdBy,
    byte_count: Number(row.byteCount ?? 0n),
    line_count: row.lineCount ?? 0,
    error: viewError(row),
    check: totalsOf("check"),
    customer_count: numberOf(row.customerCount),
    largest_points: numberOf(row.largestPoints),
    warning_count: Number(row.warningCount ?? 0n),
    import: totalsOf("import"),
    undo: totalsOf("undo"),
    started_at: timeOf(row.startedAt),
    started_by: row.startedBy,
    finished_at: timeOf(row.finishedAt),
    undone_at: timeOf(row.undoneAt),
    undone_by: row.undoneBy,
  };
}

/** What is computed for the page of one import: of another app's file the imports that it is split into, of tiers the moves. */
export interface ImportParts {
  readonly timeZone: string;
  readonly parts: readonly { readonly file: CsvImport; readonly rows: bigint }[];
  /** null: not a checked file of tiers, or a very large one. */
  readonly tierMoves: TierMoves | null;
}

/** What a person may do with an import without a second person, and what waits for one. */
export interface ImportAllowance {
  readonly limits: Limits;
  readonly excess: Excess | null;
  readonly waiting:
    | Pick<ImportRequest, "uid" | "requestedBy" | "requestedName" | "requestedAt" | "expiresAt">
    | undefined;
  readonly approvals: readonly ImportApproval[];
  readonly person: StaffPerson;
}

/** An import with its settings, as far as the viewer may continue with it. */
export function viewImportDetail(
  row: CsvImport,
  totals: readonly PhaseTotals[],
  { limits, excess, waiting, approvals, person, timeZone, parts, tierMoves }: ImportAllowance & ImportParts,
): ImportDetail {
  const { origin, extends: isExtending, reasonType, note, matchByEmail, setsBalance } = row.options;
  const { vendor, source, days, moveDays, keepTiersUntil, again, asOf } = row.options;
  return {
    ...viewImport(row, totals),
    encoding: row.encoding,
    separator: row.separator,
    has_header: row.hasHeader,
    columns: row.columns,
    options: {
      ...{ origin, extends: isExtending, reason_type: reasonType, note },
      ...{ match_by_email: matchByEmail, sets_balance: setsBalance, again, vendor, source, days },
      move_days: moveDays,
      as_of: asOf === null ? null : localDate(asOf, timeZone),
      keep_tiers_until: keepTiersUntil === null ? null : lastDayBefore(keepTiersUntil, timeZone),
    },
    needs_another: excess !== null,
    excess,
    approval_limit: numberOf(limits.approvalLimit),
    daily_limit: numberOf(limits.dailyLimit),
    waiting: waiting === undefined ? null : viewWaiting(waiting, person),
    approval: viewApproval(approvals, "import"),
    undo_approval: viewApproval(approvals, "import_undo"),
    tier_moves: tierMoves === null ? null : viewTierMoves(tierMoves),
    undo_until: timeOf(undoUntil(row)),
    survey: row.survey === null ? null : viewSurvey(row, surveyCodec.decode(row.survey)),
    is_part: row.options.move !== null,
    parts: parts.map(({ file: { uid, kind, state, error }, rows }) => ({
      ...{ uid, kind, state, row_count: Number(rows) },
      has_failed: state === "uploaded" && error !== null,
    })),
  };
}

function viewTierMoves({ raised, lowered, unchanged }: TierMoves): NonNullable<ImportDetail["tier_moves"]> {
  return { raised_count: Number(raised), lowered_count: Number(lowered), unchanged_count: Number(unchanged) };
}

function viewApproval(approvals: readonly ImportApproval[], step: ImportApproval["kind"]): ImportDetail["approval"] {
  const found = approvals.find(({ kind }) => kind === step);
  return found === undefined ? null : { by: found.by, at: formatInstant(found.at) };
}

/** The last day that is over at an instant. */
function lastDayBefore(at: Temporal.Instant, timeZone: string): string {
  return localDate(at.subtract({ nanoseconds: 1 }), timeZone);
}

function viewSurvey({ options }: CsvImport, survey: Survey): ImportSurvey {
  const app = VENDORS.find(({ name }) => name === options.vendor)?.title;
  const { points, worthMinor, withPoints, foundByEmail, foundById, created, spentMinor } = survey;
  const unknown = new Set(survey.unknownTiers);
  return {
    ...{ points: Number(points), worth: Number(worthMinor), spent: Number(spentMinor) },
    ...{ with_points: withPoints, found_by_email: foundByEmail, found_by_id: foundById, created },
    by_expiry: [...survey.byExpiry].map(([month, value]) => ({ month, points: Number(value) })),
    by_tier: [...survey.byTier].map(([name, rows]) => ({ name, rows, is_known: !unknown.has(name) })),
    earlier: survey.earlier.map(({ moveUid, source, at, customers, points: received }) => ({
      ...{
        move: moveUid,
        source,
        is_same_app: source === app,
        started_at: formatInstant(at),
        customers,
        points: Number(received),
      },
    })),
  };
}

function viewWaiting(
  { uid, requestedBy, requestedName, requestedAt, expiresAt }: NonNullable<ImportAllowance["waiting"]>,
  person: StaffPerson,
): ImportDetail["waiting"] {
  return {
    request_uid: uid,
    requested_by: requestedName,
    requested_at: formatInstant(requestedAt),
    expires_at: formatInstant(expiresAt),
    is_own: requestedBy === person.uid,
  };
}

/** An import of customers can be undone if the replaced values were stored. */
function undoUntil(file: CsvImport): Temporal.Instant | null {
  return file.kind === "customers" && !file.keepsChanges ? null : undoneUntil(file);
}

/** Converts the settings of a body for the verbs. */
export function settingsOf({ encoding, separator, has_header, columns, options }: CheckBody, timeZone: string) {
  const { origin, extends: isExtending, reason_type, note } = options;
  const { match_by_email: matchByEmail = false, sets_balance: setsBalance = false, again = false } = options;
  const { vendor = null, source = null, days = "year_first", move_days: moveDays = null } = options;
  const { keep_tiers_until: kept = null, as_of = null } = options;
  return {
    encoding,
    separator,
    hasHeader: has_header,
    columns,
    options: {
      ...DEFAULT_OPTIONS,
      ...{ origin, extends: isExtending, reasonType: reason_type, note: note === "" ? null : note },
      ...{ matchByEmail, setsBalance, again, vendor, source: source === "" ? null : source, days, moveDays },
      asOf: as_of === null ? null : startOfDate(as_of, timeZone),
      keepTiersUntil: kept === null ? null : endOfDay(kept, timeZone),
    },
  };
}

function endOfDay(date: string, timeZone: string): Temporal.Instant {
  return startOfDate(Temporal.PlainDate.from(date).add({ days: 1 }).toString(), timeZone);
}

export function viewFault(fault: StoredIssue, language: Language, context: IssueContext): FaultRow {
  const { line, code, field, value } = fault;
  return { line, code, member: field, value, detail: issueText(fault, language, context) };
}

/** A started import is retried until it is done; after some attempts the error is shown. */
function viewError({ state, error, unreadableLine, attempts }: CsvImport): ImportRow["error"] {
  if (error !== null) return { code: error, line: unreadableLine ?? 0 };
  const isStuck = (state === "importing" || state === "undoing") && attempts > ATTEMPTS_MAX;
  return isStuck ? { code: "interrupted", line: 0 } : null;
}

function viewTotals(kind: UploadKind, totals: PhaseTotals | undefined): ImportTotals | null {
  if (totals === undefined) return null;
  return {
    ...(kind === "customers" ? { customers: viewCustomers(totals) } : {}),
    row_count: Number(totals.rowCount),
    good_count: Number(totals.validCount),
    fault_count: Number(totals.rowCount - totals.validCount),
    points_added: Number(totals.pointsAdded),
    points_taken: Number(totals.pointsTaken),
  };
}

function viewCustomers({
  validCount,
  createdCount,
  changedCount,
}: PhaseTotals): NonNullable<ImportTotals["customers"]> {
  const [created, updated] = [Number(createdCount), Number(changedCount)];
  return { created_count: created, updated_count: updated, unchanged_count: Number(validCount) - created - updated };
}

function numberOf(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

function timeOf(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
