import type { ImportField, UploadKind } from "../wire/import-fields.ts";

/** The codes of a row's issues. */
const ISSUE_CODES = [
  "customer_missing",
  "customer_unknown",
  "customer_ambiguous",
  "points_missing",
  "points_not_integer",
  "points_zero",
  "points_too_large",
  "balance_negative",
  "expiry_unclear",
  "expiry_past",
  "expiry_of_deduction",
  "extension_unclear",
  "reason_unknown",
  "note_too_long",
  "text_unclean",
  "too_many_cells",
  "tier_unknown",
  "tier_below_minimum",
  "skip_unclear",
  "nothing_to_change",
  "id_missing",
  "id_is_email",
  "id_rounded",
  "id_too_long",
  "email_unclear",
  "name_too_long",
  "birthday_unclear",
  "marketing_unclear",
  "account_unclear",
  "customer_deleted",
  "email_missing",
  "email_taken",
  "email_repeated",
  "id_taken",
  "customer_repeated",
  "above_balance",
  "negative_balance",
  "balance_limit",
  "customer_gone",
  "customer_merged",
  "points_left",
  "changed_since",
  "customer_changed_since",
  "earned_unclear",
  "earned_and_expired",
  "keep_until_unclear",
  "spent_missing",
  "spent_unclear",
  "date_missing",
  "date_unclear",
  "date_in_future",
  "id_of_another",
  "row_repeated",
  "history_full",
  "file_gone",
  "part_not_imported",
  "part_not_undone",
  "moved_before",
  "spent_before",
  "history_before",
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** When an issue was found: by the check (the row is left out), by the check as a warning, by the import, by its undoing. */
const ISSUE_PHASES = ["check", "warning", "import", "undo"] as const;
export type IssuePhase = (typeof ISSUE_PHASES)[number];

export interface RowIssue {
  readonly code: IssueCode;
  /** The field of the row; null: the whole row. */
  readonly field: ImportField | null;
  /** The text in the file, shortened; for `points_left` the number of points. */
  readonly value: string | null;
}

/** An issue as it is stored, with its row's number in the file, from 1, and its line. */
export interface StoredIssue extends RowIssue {
  readonly n: number;
  readonly line: number;
}

const VALUE_LENGTH_MAX = 100;

/** Returns an issue of a field, with its text as far as it can be stored. */
export function issueOf(code: IssueCode, field: ImportField | null, value: string | null): RowIssue {
  const clean = value === null ? null : value.toWellFormed().replaceAll("\0", "\uFFFD").slice(0, VALUE_LENGTH_MAX);
  return { code, field, value: clean?.toWellFormed() ?? null };
}

/** Returns the issue of a row of orders or history that an earlier file of the app has imported. */
export function beforeIssue(kind: UploadKind): RowIssue {
  return kind === "history" ? issueOf("history_before", null, null) : issueOf("spent_before", "spent", null);
}

/** Returns a row's issue as it is stored. */
export function storedIssue({ n, line }: Pick<StoredIssue, "n" | "line">, issue: RowIssue): StoredIssue {
  return { ...issue, n, line };
}
