import type { ImportField } from "../../wire/import-fields.ts";
import { type IssueCode, issueOf, type RowIssue } from "../issue.ts";
import type { Columns } from "./columns.ts";
import { plainForm } from "./plain-form.ts";

/** The values of a row, or all its issues. */
export type Read<T> = T | { readonly issues: readonly RowIssue[] };

/** The prefix with which the service's files prevent a spreadsheet from executing a cell. */
const GUARDED = /^'[=+\-@＝＋－＠\t\r\n]/;
const YES = new Set(
  "yes,y,true,1,on,はい,有,有り,あり,する,延長する,スキップする,有効,受け取る,受取る,○,◯,〇".split(","),
);
const NO = new Set(
  "no,n,false,0,off,いいえ,無,無し,なし,しない,延長しない,スキップしない,無効,受け取らない,受取らない,×,✕".split(","),
);

/** Only mapped columns are read; the others are ignored. */
export function cellReader(cells: readonly string[], columns: Columns): (field: ImportField) => string {
  return (field) => {
    const index = columns[field];
    const text = index === undefined ? "" : (cells[index] ?? "").trim();
    return GUARDED.test(text) ? text.slice(1).trim() : text;
  };
}

export function isIssue(value: unknown): value is RowIssue {
  return typeof value === "object" && value !== null && "code" in value;
}

export function issuesOf(value: unknown): RowIssue[] {
  return isIssue(value) ? [value] : [];
}

/** Parses yes or no, in English or Japanese; returns `blank` for an empty cell. */
export function readFlag<Blank extends boolean | undefined>(
  field: ImportField,
  code: IssueCode,
  text: string,
  blank: Blank,
): boolean | Blank | RowIssue {
  if (text === "") return blank;
  const plain = plainForm(text).toLowerCase();
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : issueOf(code, field, text);
}

/** Returns an issue for cells beyond the header's columns, mostly caused by a separator inside an unquoted value. Without a header: none. */
export function extraCells(cells: readonly string[], headerCount: number | null): RowIssue[] {
  if (headerCount === null) return [];
  const extra = cells.slice(headerCount).find((text) => text.trim() !== "");
  return extra === undefined ? [] : [issueOf("too_many_cells", null, extra)];
}
