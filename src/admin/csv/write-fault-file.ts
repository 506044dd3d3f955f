import type { Deps } from "../../deps.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../exports/csv-line.ts";
import type { CsvImport } from "../../imports/csv-import.ts";
import type { IssuePhase, StoredIssue } from "../../imports/issue.ts";
import { ISSUE_COLUMNS, issueContextOf, issueText } from "../../imports/issue-words.ts";
import { FIRST_ISSUE, selectImportPiece, selectIssues } from "../../imports/queries.ts";
import { readRows } from "../../imports/read/read-rows.ts";
import { readSample } from "../../imports/read/read-sample.ts";
import { writeRowsLeft } from "../../moving-in/write-rows-left.ts";
import { readProgram } from "../../program/read-program.ts";
import { IMPORT_FIELD_NAMES } from "../../wire/import-fields.ts";
import type { Language } from "../../wire/language.ts";
import { readMoveParts } from "./read-move-parts.ts";

const PAGE_ROWS = 5_000;

export interface FaultFile {
  readonly phase: IssuePhase;
  readonly language: Language;
}

/**
 * Writes the faulty rows of a file: the original cells, the line and the faults; without the cells once the file has been deleted. It streams in
 * constant memory, because file and faults are read in parallel, in the same order. Why a file of another app was not imported completely is a line
 * without cells. What was not undone of such a file are rows of the imports that it consists of, with their customers, and why the undoing ended.
 */
export async function* writeFaultFile(
  deps: Pick<Deps, "db" | "clock">,
  file: CsvImport,
  { phase, language }: FaultFile,
): AsyncGenerator<string> {
  if (file.kind === "move" && phase === "undo") {
    yield* writeRowsLeft(deps.db, [file, ...(await readMoveParts(deps, file))], language);
    return;
  }
  const program = await readProgram(deps.db);
  const context = issueContextOf(file, program.tiers.rules);
  const names = ISSUE_COLUMNS[language];
  const faults = faultsByRow(deps, file.uid, phase);
  const textOf = (own: readonly StoredIssue[]) => own.map((fault) => issueText(fault, language, context)).join(" ");
  const hasFile = (await selectImportPiece(deps.db, file.uid, 0)) !== undefined;
  if (!hasFile) {
    yield BYTE_ORDER_MARK + csvLine([names.line, names.reason]);
    for await (const own of faults) yield csvLine([lineOf(own), textOf(own)]);
    return;
  }
  const header = await headerOf(deps, file, language);
  yield BYTE_ORDER_MARK + csvLine([...header, names.line, names.reason]);
  for await (const { cells, own } of besideCells(deps, file, faults)) {
    const padded = [...cells, ...Array<string>(Math.max(0, header.length - cells.length)).fill("")];
    yield csvLine([...padded.map(asNumber), lineOf(own), textOf(own)]);
  }
}

/** Returns the line of an issue; "": it is of no row. */
function lineOf([first]: readonly StoredIssue[]): bigint | string {
  return first === undefined || first.n === 0 ? "" : BigInt(first.line);
}

/** A negative number is not treated as a formula, because the corrected file is imported again. */
function asNumber(cell: string): string | bigint {
  return /^-\d{1,18}$/.test(cell.trim()) ? BigInt(cell.trim()) : cell;
}

/** Returns the faults of each faulty row, in the order of the rows. */
async function* faultsByRow(deps: Pick<Deps, "db">, uid: string, phase: IssuePhase): AsyncGenerator<StoredIssue[]> {
  let own: StoredIssue[] = [];
  for (let after = FIRST_ISSUE; ; ) {
    const page = await selectIssues(deps.db, { uid, phase, after, limit: PAGE_ROWS });
    for (const fault of page) {
      if (own.length > 0 && own[0]?.n !== fault.n) {
        yield own;
        own = [];
      }
      own.push(fault);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) break;
    after = last;
  }
  if (own.length > 0) yield own;
}

/** Joins faults with the cells of their rows; both are sorted by row number. Those of no row come first, without cells. */
async function* besideCells(
  deps: Pick<Deps, "db">,
  file: CsvImport,
  faults: AsyncGenerator<StoredIssue[]>,
): AsyncGenerator<{ cells: readonly string[]; own: readonly StoredIssue[] }> {
  let next = await faults.next();
  while (!next.done && next.value[0]?.n === 0) {
    yield { cells: [], own: next.value };
    next = await faults.next();
  }
  for await (const rows of readRows(deps, file)) {
    if ("code" in rows) return;
    for (const { n, cells } of rows) {
      if (next.done) return;
      if (next.value[0]?.n !== n) continue;
      yield { cells, own: next.value };
      next = await faults.next();
    }
  }
}

/** Returns the file's header; without one, the names of the fields assigned to the columns. */
async function headerOf(deps: Pick<Deps, "db">, file: CsvImport, language: Language): Promise<readonly string[]> {
  const [first = []] = await readSample(deps.db, file, 1);
  if (file.hasHeader) return first;
  return first.map((_, index) => {
    const field = Object.entries(file.columns).find(([, at]) => at === index)?.[0];
    const names: Readonly<Record<string, string>> = IMPORT_FIELD_NAMES[language];
    return (field === undefined ? undefined : names[field]) ?? "";
  });
}
