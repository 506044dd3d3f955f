import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import { basename } from "node:path";
import { currentActor } from "../../actor.ts";
import { UsageError } from "../../config.ts";
import type { Deps } from "../../deps.ts";
import { type CsvImport, isUndoable, type Phase, type StaffPerson } from "../../imports/csv-import.ts";
import type { StoredIssue } from "../../imports/issue.ts";
import { selectLastUndone, selectMoveImports, selectTotals } from "../../imports/queries.ts";
import { momentOf } from "../../imports/read/moments.ts";
import { unreadableText } from "../../imports/unreadable-text.ts";
import { columnsOf, missingFields } from "../../moving-in/member.ts";
import { UnreadableFileError } from "../../moving-in/member-file.ts";
import type { MemberSums } from "../../moving-in/member-sums.ts";
import {
  hasColumnOf,
  type MemberMove,
  MOVE_KINDS,
  type MoveKind,
  moveUidOf,
  PartNotImportedError,
} from "../../moving-in/move.ts";
import { moveKind } from "../../moving-in/move-kind.ts";
import { readUndoneAfter } from "../../moving-in/read-undone-after.ts";
import { surveyMove } from "../../moving-in/survey-move.ts";
import { tiersKeptUntil } from "../../moving-in/upload.ts";
import { VENDOR_NAMES, VENDORS } from "../../moving-in/vendors/index.ts";
import { readProgram } from "../../program/read-program.ts";
import { startOfDate } from "../../time/store-time.ts";
import { DAY_FORMS } from "../../wire/day-forms.ts";
import { MOVE_FIELDS } from "../../wire/import-fields.ts";
import { checkUploadSize } from "../check-upload-size.ts";
import type { Given } from "../command-line.ts";
import { nameUnreadable } from "../name-unreadable.ts";
import { countText, createProgress, isAgreed, print, printNote, type Shown, shortTime } from "../output.ts";
import { withDeps } from "../with-deps.ts";
import { workImport } from "../work-import.ts";
import { beginMove } from "./begin-move.ts";
import { columnsOption } from "./columns-option.ts";
import { importActivity } from "./move-activity.ts";
import { readMoveHead } from "./move-head.ts";
import { surveyJson, surveyText } from "./move-survey.ts";
import { unchangedFile } from "./unchanged-file.ts";
import { undoInProgress } from "./undo-in-progress.ts";

/** Four shards are processed in parallel, each in its own transaction. */
const CONNECTIONS = 8;
/** Not a person of the staff: the operator at the machine. */
const OPERATOR_UID = "00000000-0000-0000-0000-000000000000";

/**
 * `pointkeeper import <file> --from <app> [--dry-run] [--yes] [--set] [--again] [--skip-faults]`: shows the sums of another app's file of members,
 * and imports it: members, points, tiers. When it is called again for the same file, it continues, and counts nothing twice. Returns 0 when
 * everything is imported; 1 if a row has a fault; 2 if there is no terminal for the confirmation and `--yes` is missing.
 */
export async function moveInFile(given: Given): Promise<number> {
  const { operands, options } = given;
  const [path] = operands;
  const known = VENDORS.find(({ name }) => name === options.get("from"));
  if (known === undefined) throw new UsageError(`--from expects ${VENDOR_NAMES.join(", ")}.`);
  if (path === undefined || path === "-") throw new UsageError("Expected a file: it is read more than once.");
  await access(path, constants.R_OK).catch(nameUnreadable(path));
  const vendor = { ...known, days: DAY_FORMS.find((form) => form === options.get("days")) ?? known.days };
  const read = { name: basename(path), open: () => createReadStream(path) };
  const isActivity = options.has("history") || options.has("orders");
  if (isActivity) await checkUploadSize(path); // for members, only the imports made from the file are uploaded
  const head = await readMoveHead(read).catch(asUsage);
  const file = unchangedFile(read, head.sha256);
  if (isActivity) return importActivity(given, { file, head, vendor, by: operator() }, CONNECTIONS);
  const opened = openMove({ file, head, vendor }, options);
  const { shown, code } = await withDeps(async (deps) => {
    const keepTiersUntil = await readKeptUntil(deps, options.get("keep-tiers-until"));
    const asOf = await readAsOf(deps, options.get("as-of"));
    const uploadedAt = await beginMove(deps, { isDryRun: options.has("dry-run") });
    return run(deps, given, { ...opened, keepTiersUntil, asOf, uploadedAt });
  }, CONNECTIONS);
  print(given, shown);
  return code;
}

/** Returns the operator at the machine as the person who acts. */
export function operator(): StaffPerson {
  return { uid: OPERATOR_UID, name: currentActor().name };
}

function openMove(
  opened: Pick<MemberMove, "file" | "head" | "vendor">,
  options: Given["options"],
): Omit<MemberMove, "keepTiersUntil" | "asOf" | "uploadedAt"> {
  const { head, vendor } = opened;
  const recognised = columnsOf(vendor, head.header);
  const columns = columnsOption(head.header, { recognised, fields: MOVE_FIELDS, text: options.get("columns") });
  const missing = missingFields(columns);
  if (missing.length > 0) {
    const expected = missing.map((field) => `${field} (${vendor.headers[field]?.join(" or ")})`);
    throw new UsageError(
      `This is no file of ${vendor.title}: its first row names no ${expected.join(" and no ")}. It has: ${head.header.slice(0, 40).join(", ").slice(0, 1_000)}. --columns says which is which.`,
    );
  }
  return { ...opened, columns, setsBalance: options.has("set"), again: options.has("again") };
}

async function readKeptUntil(deps: Deps, text: string | undefined): Promise<Temporal.Instant> {
  if (text === undefined) return tiersKeptUntil(deps.clock.now());
  const { store } = await readProgram(deps.db);
  try {
    return startOfDate(Temporal.PlainDate.from(text).add({ days: 1 }).toString(), store.timeZone);
  } catch {
    throw new UsageError(`--keep-tiers-until: expected a date, such as 2027-03-31, not "${text}".`);
  }
}

/** Returns when a file was exported: a time, or the start of a date. */
async function readAsOf({ db, clock }: Deps, text: string | undefined): Promise<Temporal.Instant | null> {
  if (text === undefined) return null;
  const { timeZone } = (await readProgram(db)).store;
  const at = momentOf(text, { form: "year_first", timeZone, edge: "start" });
  if (at === undefined || Temporal.Instant.compare(at, clock.now()) > 0)
    throw new UsageError(`--as-of: expected a date or time that has passed, such as 2026-03-31, not "${text}".`);
  return at;
}

function asUsage(error: unknown): never {
  throw error instanceof UnreadableFileError ? new UsageError(error.message) : error;
}

interface Outcome {
  readonly shown: Shown;
  readonly code: number;
}

async function run(deps: Deps, given: Given, asked: MemberMove): Promise<Outcome> {
  const { options } = given;
  const begun = await selectMoveImports(deps.db, moveUidOf(asked));
  const inAlready = isDone(begun) ? await whyNothingToDo(deps, asked, begun) : null;
  if (inAlready !== null) return inAlready;
  if (begun.some(({ state }) => state === "undoing")) {
    const message = undoInProgress(moveUidOf(asked));
    return { code: 1, shown: { json: { move: moveUidOf(asked), message }, text: [message] } };
  }
  const move = goOn(asked, begun);
  const reading = createProgress("reading", "rows");
  const sums = await surveyMove(deps, move, (rows) => reading.update(rows, move.head.lineCount))
    .catch(asUsage)
    .finally(() => reading.end());
  const { store, tiers } = await readProgram(deps.db);
  const context = { currency: store.currency, tiers: tiers.rules.map(({ name }) => name) };
  const described = { json: surveyJson(move, sums, context), text: surveyText(move, sums, context) };
  const end = (says: string, code: number, more: object = {}): Outcome => ({
    code,
    shown: { json: { ...described.json, ...more, message: says }, text: [...described.text, says] },
  });
  if (sums.rows === 0) return end("The file has no rows: nothing was imported.", 2);
  if (options.has("dry-run")) return end("Nothing was imported: this was a dry run.", sums.faultCount > 0 ? 1 : 0);
  const isFaulty = sums.faultCount > 0 && !options.has("skip-faults");
  if (isFaulty && begun.length === 0) return end(`Nothing was imported. ${whatHelps(move, sums)}`, 1);
  if (!options.has("yes") && !(await isAgreed([...described.text, "Import this? [y/N]"])))
    return end("Nothing was imported: give --yes where nobody can be asked.", 2);
  if (begun.length > 0)
    printNote(`Going on with the import of this file that was begun at ${shortTime(begun[0]?.createdAt)}.`);
  return bringIn(deps, { move, sums, begun }, end);
}

const IN_ALREADY = "This file is in already: nothing was changed.";

/**
 * Returns what is said of a file whose imports are done; null: there may be more to do. An undoing ended at one of them, and what was undone can be
 * imported again; or a kind was not begun, because the file has no rows of it or because the call was interrupted before. What a person undid while all
 * of it can be undone stays undone.
 */
async function whyNothingToDo(deps: Deps, asked: MemberMove, begun: readonly CsvImport[]): Promise<Outcome | null> {
  const move = moveUidOf(asked);
  const last = begun.at(-1);
  const undone = last === undefined ? [] : await readUndoneAfter(deps.db, move, last);
  if (undone.length > 0 && begun.some((part) => !isUndoable(part, deps.clock.now()))) return null;
  const gone = await readUndoneAlone(deps, move, begun);
  if (gone.length === 0 && isAnyNotBegun(asked, begun)) return null;
  const kinds = gone.map(({ kind }) => kind).join(" and ");
  const message =
    gone.length === 0
      ? IN_ALREADY
      : `This file is in already, but this was undone: ${kinds}. Nothing was changed. To import all of it again, first undo the rest: pointkeeper import --undo ${move}`;
  return { code: gone.length === 0 ? 0 : 1, shown: { json: { move, message }, text: [message] } };
}

/** Returns the imports of a move that were undone while others of it stay. */
async function readUndoneAlone(
  { db }: Pick<Deps, "db">,
  move: string,
  begun: readonly CsvImport[],
): Promise<readonly CsvImport[]> {
  const [first] = begun;
  const undone = await selectLastUndone(db, move);
  return undone.filter(({ kind, undoneAt }) => {
    const isHere = begun.some((part) => part.kind === kind);
    const isOfThisTime = first !== undefined && undoneAt !== null && isAtOrAfter(undoneAt, first.createdAt);
    return !isHere && isOfThisTime;
  });
}

function isAtOrAfter(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) >= 0;
}

/** Returns a move with the settings with which it was begun. */
function goOn(asked: MemberMove, begun: readonly CsvImport[]): MemberMove {
  const [first] = begun;
  if (first === undefined) return asked;
  const { setsBalance, again, asOf, move } = first.options;
  return { ...asked, setsBalance, asOf, uploadedAt: move?.uploadedAt ?? first.createdAt, again: asked.again || again };
}

/** Returns what a person can do about the faults of a file. */
function whatHelps({ vendor }: MemberMove, { earlier, leftOut }: MemberSums): string {
  if (leftOut === 0) return "With --skip-faults the other rows are.";
  const [last] = earlier.filter(({ source }) => source === vendor.title);
  return [
    `${countText(leftOut, "row")} would give points twice: --again gives them all the same, --skip-faults imports the other rows alone,`,
    `--set makes balances what the file says, and import --undo ${last?.moveUid ?? "<move>"} takes the earlier file back.`,
  ].join(" ");
}

/** Imports all kinds of a move. Returns 1 if a row could not be imported. */
async function bringIn(
  deps: Deps,
  { move, sums, begun }: { readonly move: MemberMove; readonly sums: MemberSums; readonly begun: readonly CsvImport[] },
  end: (says: string, code: number, more?: object) => Outcome,
): Promise<Outcome> {
  const files: CsvImport[] = [];
  let leftOut = 0;
  const onLeftOut = async (faults: readonly StoredIssue[]) => {
    leftOut += faults.length;
  };
  for (const kind of MOVE_KINDS) {
    const preparing = createProgress(`preparing ${kind}`, "rows");
    const onRows = (_: unknown, rows: number) => preparing.update(rows, move.head.lineCount);
    const work = async (uid: string, phase: Phase) => {
      preparing.end();
      return workImport(deps, uid, phase);
    };
    const how = { by: operator(), work, onRows, onLeftOut };
    const file = await moveKind(deps, move, kind, how).catch(notImported);
    preparing.end();
    if (file instanceof PartNotImportedError) return end(whyNotImported(move, file.part), 1);
    if (file !== null) files.push(file);
  }
  const unfinished = files.filter(({ state }) => state !== "imported");
  if (unfinished.length > 0)
    return end(`Not imported: ${unfinished.map(({ kind, fileName }) => `${kind} of ${fileName}`).join(", ")}.`, 1);
  if (files.length === 0) return end("Nothing was imported: no row is left.", 0);
  const uid = moveUidOf(move);
  if (isDone(begun) && files.every((file) => begun.some((part) => part.uid === file.uid)))
    return end(IN_ALREADY, 0, { move: uid });
  const undo = `To undo it as a whole: pointkeeper import --undo ${uid}`;
  const points = files.filter(({ kind }) => kind === "points");
  const refused = (await Promise.all(points.map((file) => refusedOf(deps, file)))).reduce((sum, rows) => sum + rows, 0);
  const missing = Math.max(0, leftOut - sums.leftOut - sums.unresolved) + refused;
  const more = { move: uid, rows_left_out: missing };
  if (missing === 0) return end(`The file was imported. ${undo}`, 0, more);
  const says = `The file was imported but for the points of ${countText(missing, "row")}: their customers are gone or have another e-mail address, or were given points by another file of the app meanwhile.`;
  return end(`${says} ${undo}`, 1, more);
}

function notImported(error: unknown): PartNotImportedError {
  if (error instanceof PartNotImportedError) return error;
  throw error;
}

/** Returns why the import stopped at a part, and what to do. */
function whyNotImported(move: MemberMove, { kind, error, unreadableLine, state }: CsvImport): string {
  const why = error === null ? `They are ${state}.` : unreadableText(error, unreadableLine ?? 0);
  return `The ${kind} of this file were not imported, and nothing after them. ${why} The same command goes on; to undo what was imported: pointkeeper import --undo ${moveUidOf(move)}`;
}

/** Returns the number of a part's rows that could not be imported. */
async function refusedOf(deps: Deps, { uid }: CsvImport): Promise<number> {
  const totals = (await selectTotals(deps.db, [uid])).get(uid) ?? [];
  return totals.reduce((sum, { rowCount, validCount }) => sum + Number(rowCount - validCount), 0);
}

/** Whether the file may have rows of a kind of which nothing was begun: a call may have been killed before it got there. */
function isAnyNotBegun(move: MemberMove, begun: readonly CsvImport[]): boolean {
  const isBegun = (kind: MoveKind) => begun.some((part) => part.kind === kind);
  return MOVE_KINDS.some((kind) => kind !== "customers" && hasColumnOf(move, kind) && !isBegun(kind));
}

/** Whether every kind that was begun is imported, the points among them. */
function isDone(begun: readonly CsvImport[]): boolean {
  return (
    begun.length > 0 && begun.every(({ state }) => state === "imported") && begun.some(({ kind }) => kind === "points")
  );
}
