import type { TierRule } from "../../program/program.ts";
import type { StoredIssue } from "../issue.ts";
import type { FileRow } from "../read/read-rows.ts";

/** Rows of a file that are checked together. */
export interface CheckBatch {
  /** Which one of the file's. */
  readonly at: number;
  readonly rows: readonly FileRow[];
  /** Cells of the header; null: there is none. */
  readonly headerCount: number | null;
  readonly rules: readonly TierRule[];
}

/** What a check found: rows as they are kept, and what is wrong with the others. */
export interface CheckedRows<Valid> {
  readonly valid: readonly Valid[];
  readonly issues: readonly StoredIssue[];
}
