import { UsageError } from "../../config.ts";
import type { Deps } from "../../deps.ts";
import type { CsvImport, Phase, StaffPerson } from "../../imports/csv-import.ts";
import { issueOf } from "../../imports/issue.ts";
import { type IssueContext, issueContextOf, issueText } from "../../imports/issue-words.ts";
import { selectLastUndone, selectMoveImports, selectTotals } from "../../imports/queries.ts";
import { type RowLeft, readRowsLeft } from "../../imports/undo/read-rows-left.ts";
import { PartNotUndoneError } from "../../moving-in/move.ts";
import { readUndoneAfter } from "../../moving-in/read-undone-after.ts";
import { undoMove } from "../../moving-in/undo-move.ts";
import { writeRowsLeft } from "../../moving-in/write-rows-left.ts";
import { readProgram } from "../../program/read-program.ts";
import { NotFoundError } from "../../start/failure-line.ts";
import type { Given } from "../command-line.ts";
import { writeWhole } from "../export.ts";
import { countText, inTone, print, printPieces, type Shown, shortTime, tableLines } from "../output.ts";
import { withDeps } from "../with-deps.ts";
import { workImport } from "../work-import.ts";

const STDOUT = "-";
/** The number of rows of each import that are shown; `--left` writes all of them. */
const ROWS_SHOWN = 20;

/**
 * `pointkeeper import --undo <move> [--left <file or ->]`: undoes a complete move and shows the rows that could not be undone, with the reasons;
 * `--left` writes all of these rows as CSV. For a move that was undone it shows and writes the same again. Returns 0 when it is undone, 1 if a part can
 * no longer be undone.
 */
export async function undoMoveIn(given: Given, by: StaffPerson, connections: number): Promise<number> {
  const uid = given.options.get("undo") ?? "";
  const path = given.options.get("left");
  if (path === "") throw new UsageError("--left expects a file, or - for the standard output.");
  let code = 0;
  const shown = await withDeps(async (deps) => {
    const { imports, before, stopped } = await undone(deps, uid, by);
    code = stopped === undefined ? 0 : 1;
    if (path === STDOUT) await printPieces(writeRowsLeft(deps.db, imports, "en"));
    else if (path !== undefined) await writeWhole(writeRowsLeft(deps.db, imports, "en"), path);
    return undoneShown(uid, {
      imports: await Promise.all(imports.map((file) => shownOf(deps, file))),
      ...{ before, stopped, path },
    });
  }, connections);
  if (path !== STDOUT) print(given, shown);
  return code;
}

interface Undone {
  readonly imports: readonly CsvImport[];
  /** Whether it was undone before. */
  readonly before: boolean;
  /** The part that can no longer be undone; absent: all were undone. */
  readonly stopped?: CsvImport;
}

async function undone(deps: Deps, uid: string, by: StaffPerson): Promise<Undone> {
  const work = (of: string, phase: Phase) => workImport(deps, of, phase);
  if ((await selectMoveImports(deps.db, uid)).length > 0)
    return undoMove(deps, uid, { by, work })
      .then((imports) => ({ imports, before: false }))
      .catch((error: unknown) => stoppedAt(deps, uid, error));
  const imports = await selectLastUndone(deps.db, uid);
  if (imports.length === 0) throw new NotFoundError(`There is no move ${uid} that could be undone.`);
  return { imports, before: true };
}

/** Includes what an earlier call undid. */
async function stoppedAt(deps: Deps, uid: string, error: unknown): Promise<Undone> {
  if (!(error instanceof PartNotUndoneError)) throw error;
  return { imports: await readUndoneAfter(deps.db, uid, error.part), before: false, stopped: error.part };
}

interface ShownImport {
  readonly file: CsvImport;
  readonly count: bigint;
  readonly rows: readonly RowLeft[];
  readonly context: IssueContext;
}

async function shownOf(deps: Deps, file: CsvImport): Promise<ShownImport> {
  const undo = (await selectTotals(deps.db, [file.uid])).get(file.uid)?.find(({ phase }) => phase === "undo");
  const count = undo === undefined ? 0n : undo.rowCount - undo.validCount;
  const rows = count === 0n ? [] : await readRowsLeft(deps.db, file, { limit: ROWS_SHOWN });
  return { file, count, rows, context: await contextOf(deps, file) };
}

async function contextOf(deps: Deps, file: CsvImport): Promise<IssueContext> {
  return issueContextOf(file, (await readProgram(deps.db)).tiers.rules);
}

function undoneShown(
  uid: string,
  {
    imports,
    before,
    stopped,
    path,
  }: Pick<Undone, "before"> & {
    readonly imports: readonly ShownImport[];
    readonly stopped: CsvImport | undefined;
    readonly path: string | undefined;
  },
): Shown {
  const isAnyLeft = imports.some(({ count }) => count > 0n);
  const at = imports.at(-1)?.file.undoneAt;
  const whole = before ? `The move was undone at ${shortTime(at)}: nothing was changed.` : "The move was undone.";
  const isStopped = stopped !== undefined;
  const message = isStopped ? issueText(issueOf("part_not_undone", null, stopped.kind), "en", { tiers: [] }) : whole;
  const left =
    path === undefined
      ? `All of these rows as a CSV file: pointkeeper import --undo ${uid} --left rows-left.csv`
      : `These rows were written to ${path}.`;
  const text = [...imports.flatMap(importLines), ...(isAnyLeft || path !== undefined ? [left] : []), message];
  return { json: { move: uid, imports: imports.map(importJson), message }, text };
}

function importLines({ file: { fileName, kind, state }, count, rows, context }: ShownImport): string[] {
  const line = `${fileName}, ${kind}: ${state}${count > 0n ? `, ${countText(count, "row")} could not be undone` : ""}`;
  const cells = rows.map((row) => [nameOf(row), inTone("bad", issueText(row, "en", context))]);
  const more = count > BigInt(rows.length) && rows.length > 0 ? ["and more"] : [];
  return [line, ...(rows.length === 0 ? [] : tableLines(["customer", "reason"], cells)), ...more];
}

/** Returns how a person finds the customer of a row. */
function nameOf({ customerId, email, line }: RowLeft): string {
  return email ?? customerId ?? `line ${line}`;
}

function importJson({ file: { uid, kind, state }, count, rows, context }: ShownImport) {
  const left = rows.map(({ customerId, email, code, value, ...row }) => ({
    ...{ customer_id: customerId, email, code, value },
    detail: issueText({ ...row, code, value }, "en", context),
  }));
  return { uid, kind, state, left: count, rows_left: left };
}
