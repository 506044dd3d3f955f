import { UsageError } from "../../config.ts";
import type { Deps } from "../../deps.ts";
import { startImport } from "../../imports/apply/start-import.ts";
import { startCheck } from "../../imports/check/start-check.ts";
import { type CsvImport, DEFAULT_OPTIONS, type PhaseTotals, type StaffPerson } from "../../imports/csv-import.ts";
import { giveUpImport } from "../../imports/give-up-import.ts";
import { issueContextOf, issueText } from "../../imports/issue-words.ts";
import { FIRST_ISSUE, selectImport, selectIssues, selectMoveImports, selectTotals } from "../../imports/queries.ts";
import { type Columns, recogniseColumns } from "../../imports/read/columns.ts";
import { hasIssue } from "../../imports/step-queries.ts";
import { storeUpload } from "../../imports/store-upload.ts";
import { unreadableText } from "../../imports/unreadable-text.ts";
import type { MemberFile, MemberFileHead } from "../../moving-in/member-file.ts";
import { activityUidOf } from "../../moving-in/move.ts";
import type { Vendor } from "../../moving-in/vendor.ts";
import { readProgram } from "../../program/read-program.ts";
import { IMPORT_FIELDS } from "../../wire/import-fields.ts";
import type { Given } from "../command-line.ts";
import { countText, inTone, isAgreed, pointsText, print, printNote, type Shown, tableLines } from "../output.ts";
import { withDeps } from "../with-deps.ts";
import { workImport } from "../work-import.ts";
import { columnsOption } from "./columns-option.ts";
import { undoInProgress } from "./undo-in-progress.ts";

/** A file of another app with events there. */
export interface ActivityFile {
  readonly file: MemberFile;
  readonly head: MemberFileHead;
  readonly vendor: Vendor;
  readonly by: StaffPerson;
}

const FAULTS_SHOWN = 20;
const REQUIRED = { history: ["customer", "happened_at", "points"], spend: ["customer", "spent"] } as const;

/**
 * `pointkeeper import <file> --from <app> --history|--orders [--dry-run] [--yes] [--skip-faults]`: imports the history of points in the other app, or
 * what customers spent there. The customers must already exist. Returns the same exit codes as `moveInFile`.
 */
export async function importActivity(given: Given, activity: ActivityFile, connections: number): Promise<number> {
  const { options } = given;
  if (options.has("history") && options.has("orders"))
    throw new UsageError("Expected --history or --orders, not both.");
  const kind = options.has("history") ? "history" : "spend";
  if (kind === "history" && options.has("again"))
    throw new UsageError("--again is not of --history: an entry is shown once.");
  const recognised = recogniseColumns(kind, activity.head.header) ?? {};
  const columns = columnsOption(activity.head.header, {
    recognised,
    fields: IMPORT_FIELDS[kind],
    text: options.get("columns"),
  });
  const missing = REQUIRED[kind].filter((field) => columns[field] === undefined);
  if (missing.length > 0)
    throw new UsageError(
      `The first row names no ${missing.join(" and no ")}: docs/moving-in.md has the names that are known. --columns says which is which.`,
    );
  const { shown, code } = await withDeps((deps) => run(deps, given, { ...activity, kind, columns }), connections);
  print(given, shown);
  return code;
}

interface Outcome {
  readonly shown: Shown;
  readonly code: number;
}

async function run(
  deps: Deps,
  { options }: Given,
  {
    file,
    head,
    vendor,
    by,
    kind,
    columns,
  }: ActivityFile & { readonly kind: "history" | "spend"; readonly columns: Columns },
): Promise<Outcome> {
  const move = { uid: activityUidOf(kind, head.sha256), source: vendor.title };
  const [begun] = await selectMoveImports(deps.db, move.uid);
  if (begun?.state === "imported") return outcomeOf(deps, begun, inAlready(options), 0);
  if (begun?.state === "undoing") return outcomeOf(deps, begun, undoInProgress(move.uid), 1);
  if (begun?.state === "importing" && options.has("dry-run")) return outcomeOf(deps, begun, BEGUN, 0);
  const importOptions = { ...DEFAULT_OPTIONS, move, days: vendor.days, again: options.has("again") };
  const upload = { kind, fileName: file.name, bytes: file.open(), by, options: importOptions };
  const { uid } = begun ?? (await storeUpload(deps, upload));
  let found = await selectImport(deps.db, uid);
  const check = async () => {
    const settings = { ...found, hasHeader: true, columns, options: importOptions };
    await deps.db.tx((tx) => startCheck(tx, deps, uid, { settings, by }));
    return workImport(deps, uid, "check");
  };
  const giveUp = async (says: string, code: number) => {
    const outcome = await outcomeOf(deps, found, says, code);
    await deps.db.tx((tx) => giveUpImport(tx, deps, uid));
    return outcome;
  };
  if (found.state !== "importing") {
    found = found.state === "uploaded" ? await check() : await workImport(deps, uid, "check");
    // if an interrupted call has checked it with other settings, it is checked again with these
    if (found.state === "checked" && !isReadSo(found, { columns, options: importOptions })) found = await check();
    if (found.state !== "checked" && found.error === null) return outcomeOf(deps, found, takenOver(found), 1);
    const refusal = await refusalOf(deps, found, options);
    if (refusal !== null) return giveUp(refusal.says, refusal.code);
    await deps.db.tx((tx) => startImport(tx, deps, uid, { by, isApproved: true, moveUid: move.uid }));
  }
  if (found.options.again !== importOptions.again) printNote(goesOnOtherwise(found));
  found = await workImport(deps, uid, "import");
  return outcomeOf(deps, found, `The file was imported. To undo it: pointkeeper import --undo ${move.uid}`, 0);
}

/** Whether a file was checked with the present settings. */
function isReadSo(
  found: Pick<CsvImport, "columns" | "options">,
  asked: Pick<CsvImport, "columns" | "options">,
): boolean {
  const placesOf = ({ columns }: Pick<CsvImport, "columns">) =>
    JSON.stringify(Object.entries(columns ?? {}).toSorted());
  const { again, days } = asked.options;
  return found.options.again === again && found.options.days === days && placesOf(found) === placesOf(asked);
}

const BEGUN =
  "The import of this file was begun already: this dry run changed nothing. Without --dry-run the command goes on with it.";

function inAlready(options: Given["options"]): string {
  const says = "This file is in already: nothing was changed.";
  return options.has("again") ? `${says} One and the same file counts once, with --again too.` : says;
}

/** The error if another person, or another call, has changed the import meanwhile. */
function takenOver({ state }: CsvImport): string {
  return `Nothing was imported by this call: the import of this file is ${state.replace("_", " ")} by now. Run the command again.`;
}

/** A message that a started import continues with its own settings, because it has imported rows. */
function goesOnOtherwise({ options: { again, move } }: CsvImport): string {
  const how = again ? "with --again" : "without --again";
  return `The import of this file was begun ${how} and goes on so. To import it otherwise: pointkeeper import --undo ${move?.uid}, then this command.`;
}

/** Returns why nothing is imported after the check, and the exit code; null: it is imported. */
async function refusalOf(
  deps: Deps,
  found: CsvImport,
  options: Given["options"],
): Promise<{ readonly says: string; readonly code: number } | null> {
  if (found.state !== "checked") return { says: unreadableText(found.error ?? "", found.unreadableLine ?? 0), code: 2 };
  const check = await totalsOf(deps, found.uid, "check");
  const [rows, valid] = [check?.rowCount ?? 0n, check?.validCount ?? 0n];
  if (options.has("dry-run")) return { says: "Nothing was imported: this was a dry run.", code: rows > valid ? 1 : 0 };
  if (rows > valid && !options.has("skip-faults")) {
    const hint = await againHint(deps, found.uid);
    return { says: `Nothing was imported. With --skip-faults the other rows are.${hint}`, code: 1 };
  }
  if (valid === 0n) return { says: "Nothing was imported: no row is left.", code: 0 };
  const asked = await outcomeOf(deps, found, "", 0);
  const isConfirmed = options.has("yes") || (await isAgreed([...asked.shown.text, "Import this? [y/N]"]));
  return isConfirmed ? null : { says: "Nothing was imported: give --yes where nobody can be asked.", code: 2 };
}

/** Returns the option that counts orders of an earlier file once more. */
async function againHint(deps: Deps, uid: string): Promise<string> {
  const isBefore = await hasIssue(deps.db, uid, "spent_before");
  return isBefore ? " --again counts what an earlier file of the app brought once more." : "";
}

async function totalsOf(deps: Deps, uid: string, phase: PhaseTotals["phase"]): Promise<PhaseTotals | undefined> {
  return (await selectTotals(deps.db, [uid])).get(uid)?.find((each) => each.phase === phase);
}

async function outcomeOf(deps: Deps, file: CsvImport, says: string, code: number): Promise<Outcome> {
  const phase = file.state === "imported" ? "import" : "check";
  const [totals, issues, program] = await Promise.all([
    totalsOf(deps, file.uid, phase),
    selectIssues(deps.db, { uid: file.uid, phase, after: FIRST_ISSUE, limit: FAULTS_SHOWN }),
    readProgram(deps.db),
  ]);
  const context = issueContextOf(file, program.tiers.rules);
  const faults = issues.map((issue) => ({ ...issue, detail: issueText(issue, "en", context) }));
  const { rowCount = 0n, validCount = 0n } = totals ?? {};
  const counts = `${countText(rowCount, "row")}: ${pointsText(validCount)} valid, ${pointsText(rowCount - validCount)} with faults`;
  const json = {
    ...{ move: file.options.move?.uid, kind: file.kind, state: file.state },
    ...{ rows: rowCount, valid_rows: validCount, points: (totals?.pointsAdded ?? 0n) - (totals?.pointsTaken ?? 0n) },
    ...{ fault_count: rowCount - validCount, faults, message: says },
  };
  const lines = tableLines(
    ["line", "fault"],
    faults.map(({ line, detail }) => [`line ${line}`, inTone("bad", detail)]),
  );
  return {
    code,
    shown: { json, text: [...(faults.length === 0 ? [] : lines), counts, says].filter((line) => line !== "") },
  };
}
