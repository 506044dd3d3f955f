import { open } from "node:fs/promises";
import { basename } from "node:path";
import { beginImport } from "../admin/csv/begin-import.ts";
import { viewFault, viewImport } from "../admin/csv/view.ts";
import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { startCheck } from "../imports/check/start-check.ts";
import { type CsvImport, DEFAULT_OPTIONS, isHeld, type StaffPerson } from "../imports/csv-import.ts";
import { giveUpImport } from "../imports/give-up-import.ts";
import { issueContextOf } from "../imports/issue-words.ts";
import { FIRST_ISSUE, selectImport, selectIssues, selectTotals } from "../imports/queries.ts";
import type { ImportOptions } from "../imports/read/row-values.ts";
import { storeUpload } from "../imports/store-upload.ts";
import { readProgram } from "../program/read-program.ts";
import { can } from "../staff/permissions.ts";
import { selectStaffByEmail } from "../staff/queries.ts";
import { NotFoundError } from "../start/failure-line.ts";
import { IMPORT_KINDS, type ImportKind } from "../wire/import-fields.ts";
import { WIRE_NOTE_MAX } from "../wire/limits.ts";
import { checkUploadSize } from "./check-upload-size.ts";
import type { Given } from "./command-line.ts";
import { moveInFile, operator } from "./move-in/move-in.ts";
import { undoMoveIn } from "./move-in/undo-move-in.ts";
import { nameUnreadable } from "./name-unreadable.ts";
import { countText, inTone, pointsText, print, type Shown, tableLines } from "./output.ts";
import { withDeps } from "./with-deps.ts";
import { workImport } from "./work-import.ts";

/** The number of faults that are shown; the dashboard has all of them as a file. */
const FAULTS_SHOWN = 100;
/** Four shards are processed in parallel, each in its own transaction. */
const CONNECTIONS = 8;

/**
 * `pointkeeper import <points|tiers|customers> <file or -> --as <e-mail> [--apply] [--skip-faults] [--note <text>] [--match-by-email]`: checks a CSV
 * file like the dashboard and shows its faults; with --apply it imports the file, in the name and within the allowance of a person. A running
 * service, or this command, does the work. Returns 1 if a row has a fault.
 */
export async function importFile(given: Given): Promise<number> {
  const { operands, options } = given;
  if (options.get("from") === "pointkeeper" && operands[0]?.endsWith(".jsonl") === true)
    return (await import("./import-store.ts")).importStore(given);
  if (options.has("from")) return moveInFile(given);
  if (options.has("undo")) return undoMoveIn(given, operator(), CONNECTIONS);
  const [kindName = "", file = "-"] = operands;
  const kind = IMPORT_KINDS.find((name) => name === kindName);
  if (kind === undefined) throw new UsageError(`Expected ${IMPORT_KINDS.join(", ")}, not "${kindName}".`);
  const settings = importOptions(options);
  const isApplied = options.has("apply");
  if (!options.has("as")) throw new UsageError("--as <e-mail> is missing: in whose name is the file imported?");
  const bytes = file === "-" ? process.stdin : await openImport(file);
  const input = { kind, fileName: file === "-" ? "standard input" : basename(file), bytes, settings };
  const { shown, code } = await withDeps(async (deps) => {
    const by = await findPerson(deps, options.get("as") ?? "");
    return run(deps, { ...input, by, isApplied, canSkip: options.has("skip-faults") });
  }, CONNECTIONS);
  print(given, shown);
  return code;
}

function importOptions(options: Given["options"]): ImportOptions {
  const note = options.get("note") ?? null;
  if (note !== null && note.length > WIRE_NOTE_MAX)
    throw new UsageError(`--note has ${note.length} characters: expected at most ${WIRE_NOTE_MAX}.`);
  return { ...DEFAULT_OPTIONS, note, matchByEmail: options.has("match-by-email") };
}

async function openImport(file: string): Promise<AsyncIterable<Uint8Array>> {
  await checkUploadSize(file);
  const opened = await open(file).catch(nameUnreadable(file));
  return opened.createReadStream();
}

async function findPerson(deps: Deps, email: string): Promise<StaffPerson> {
  const person = await selectStaffByEmail(deps.db, email.trim().toLowerCase());
  if (person === undefined)
    throw new NotFoundError(`Nobody has the e-mail address ${email}: see pointkeeper users list.`);
  if (person.disabledAt !== null) throw new ConfigError(`${email} is disabled.`);
  if (!can(person.role, "imports.run")) throw new ConfigError(`${email} is ${person.role} and may not import files.`);
  return { uid: person.uid, name: person.name };
}

interface ImportInput {
  readonly kind: ImportKind;
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly settings: ImportOptions;
  readonly by: StaffPerson;
  readonly isApplied: boolean;
  readonly canSkip: boolean;
}

interface Outcome {
  readonly shown: Shown;
  readonly code: number;
}

async function run(deps: Deps, input: ImportInput): Promise<Outcome> {
  const { by } = input;
  const { uid } = await storeUpload(deps, input);
  try {
    const uploaded = await selectImport(deps.db, uid);
    const settings = { ...uploaded, options: input.settings };
    await deps.db.tx((tx) => startCheck(tx, deps, uid, { settings, by }));
    const checked = await workImport(deps, uid, "check");
    if (checked.state !== "checked") return await giveUp(deps, checked, input);
    const faults = await countFaults(deps, uid);
    if (!input.isApplied || (faults > 0n && !input.canSkip)) return await giveUp(deps, checked, input);
  } catch (error) {
    await giveUpQuietly(deps, uid);
    throw error;
  }
  // from here on it is an ordinary import, which can be continued and undone in the dashboard
  await deps.db.tx((tx) => beginImport(tx, deps, uid, { step: "import", by }));
  const begun = await selectImport(deps.db, uid);
  if (isHeld(begun, deps.clock.now())) return outcomeOf(deps, begun, HELD, 1);
  const imported = await workImport(deps, uid, "import");
  return outcomeOf(deps, imported, "The file was imported.", 0);
}

const HELD = "It is above the allowance of that person: somebody else has to approve it in the dashboard.";

/** Cancels an import that was only checked, so that the same file can be imported later. */
async function giveUp(deps: Deps, file: CsvImport, { isApplied }: ImportInput): Promise<Outcome> {
  const faults = await countFaults(deps, file.uid);
  const isWrong = file.state !== "checked" || faults > 0n;
  const next = isWrong ? "With --apply --skip-faults the other rows are imported" : "With --apply it is imported";
  const says = `Nothing was imported${isApplied ? "" : ": this was a dry run"}.`;
  const hint = file.state !== "checked" || (isApplied && !isWrong) ? "" : ` ${next}.`;
  const outcome = await outcomeOf(deps, file, `${says}${hint}`, isWrong ? 1 : 0);
  await giveUpQuietly(deps, file.uid);
  return outcome;
}

async function giveUpQuietly(deps: Deps, uid: string): Promise<void> {
  try {
    await deps.db.tx((tx) => giveUpImport(tx, deps, uid));
  } catch (error) {
    deps.log.warn({ error, import: uid }, "the import that was only checked is still there: end it in the dashboard");
  }
}

async function countFaults(deps: Deps, uid: string): Promise<bigint> {
  const check = (await selectTotals(deps.db, [uid])).get(uid)?.find(({ phase }) => phase === "check");
  return check === undefined ? 0n : check.rowCount - check.validCount;
}

async function outcomeOf(deps: Deps, file: CsvImport, says: string, code: number): Promise<Outcome> {
  const totals = (await selectTotals(deps.db, [file.uid])).get(file.uid) ?? [];
  const row = viewImport(file, totals);
  const program = await readProgram(deps.db);
  const context = issueContextOf(file, program.tiers.rules);
  const phase = file.state === "imported" ? "import" : "check";
  const issues = await selectIssues(deps.db, { uid: file.uid, phase, after: FIRST_ISSUE, limit: FAULTS_SHOWN });
  const faults = issues.map((issue) => viewFault(issue, "en", context));
  const counts = file.state === "imported" ? row.import : row.check;
  const text = [
    ...tableLines(
      ["line", "fault"],
      faults.map(({ line, detail }) => [`line ${line}`, inTone("bad", detail)]),
    ),
    ...(row.error === null
      ? []
      : [inTone("bad", `The file cannot be read: ${row.error.code}, line ${row.error.line}.`)]),
    ...(counts === null ? [] : [countsText(file, counts)]),
    says,
  ];
  return { code, shown: { json: { ...row, message: says, faults }, text } };
}

function countsText(file: CsvImport, counts: NonNullable<ReturnType<typeof viewImport>["check"]>): string {
  const { row_count: rows, good_count: valid, fault_count: faults, points_added: added, points_taken: taken } = counts;
  const points = file.kind === "points" ? `, +${pointsText(added)} and -${pointsText(taken)} points` : "";
  return `${countText(rows, "row")}: ${pointsText(valid)} valid, ${pointsText(faults)} with faults${points}`;
}
