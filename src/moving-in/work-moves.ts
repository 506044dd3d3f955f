import { setTimeout as delay } from "node:timers/promises";
import { whileLeased } from "../db/lease.ts";
import type { Deps } from "../deps.ts";
import { markUnreadable } from "../imports/check/mark-unreadable.ts";
import {
  countLateIssues,
  type FoundRow,
  finishSurvey,
  insertEnd,
  insertLateIssues,
  insertSurveyBatch,
  recordMoved,
} from "../imports/check/survey-queries.ts";
import { ATTEMPTS_MAX, type CsvImport, type Phase } from "../imports/csv-import.ts";
import { issueOf, type RowIssue } from "../imports/issue.ts";
import { IMPORT_LEASE_S, type ImportLease, moveLeases } from "../imports/lease-queries.ts";
import { selectImport, selectImportPiece, selectMoveImportsOfTime, selectTotals } from "../imports/queries.ts";
import type { StepCounts } from "../imports/step-queries.ts";
import { END_PART_EARLY, FINISH_PART } from "../imports/work-shards.ts";
import { readProgram } from "../program/read-program.ts";
import { FileGoneError, UnreadableFileError } from "./member-file.ts";
import { createMemberSums } from "./member-sums.ts";
import { MOVE_KINDS, PartNotImportedError, PartNotUndoneError } from "./move.ts";
import { moveKind } from "./move-kind.ts";
import { moveOfUpload } from "./move-of-upload.ts";
import { readMembers } from "./read-members.ts";
import type { ResolvedMember } from "./resolve-members.ts";
import { surveyCodec } from "./survey.ts";
import { undoMove } from "./undo-move.ts";
import { moveUidOfUpload } from "./upload.ts";

type MoveDeps = Pick<Deps, "db" | "clock" | "random" | "log">;

const POLL_MS = 300;
const RETRY_S = 5;
const RETRY_S_MAX = 60;

/**
 * Checks, imports and undoes the waiting files of other apps, one after the other, until none is left or `signal` aborts; returns how many parts were
 * finished. `runImports`, here or on another node, does the imports that a file consists of.
 */
export async function workMoves(deps: MoveDeps, signal: AbortSignal): Promise<number> {
  let finished = 0;
  while (!signal.aborted) {
    const lease = await moveLeases.claim(deps.db, deps.random.uid());
    if (lease === undefined) break;
    if (await workMove(deps, lease, signal)) finished += 1;
  }
  return finished;
}

function workMove(deps: MoveDeps, lease: ImportLease, signal: AbortSignal): Promise<boolean> {
  const renewal = {
    leaseMs: IMPORT_LEASE_S * 1_000,
    renew: () => moveLeases.renew(deps.db, lease),
    onError: (error: unknown) => deps.log.warn({ error, import: lease.uid }, "the lease of an import was not renewed"),
    signal,
  };
  return whileLeased(renewal, async (stop) => {
    try {
      await workPart(deps, lease, stop);
      return true;
    } catch (error) {
      const isStopped = stop.aborted;
      if (!isStopped)
        deps.log.error({ error, import: lease.uid, attempts: lease.attempts }, "an import was interrupted");
      const waitS = isStopped ? 0 : Math.min(RETRY_S_MAX, RETRY_S * lease.attempts);
      await moveLeases.release(deps.db, lease, { waitS, isCounted: !isStopped });
      return false;
    }
  });
}

async function workPart(deps: MoveDeps, lease: ImportLease, signal: AbortSignal): Promise<void> {
  const file = await selectImport(deps.db, lease.uid);
  if (file.state === "checking" && lease.attempts > ATTEMPTS_MAX)
    return markUnreadable(deps, lease, { code: "could_not_be_read", line: 0 });
  if (file.state === "checking") return checkMove(deps, file, lease, signal);
  const work = file.state === "importing" ? importMove : file.state === "undoing" ? undoAll : null;
  if (work === null) return; // cancelled meanwhile
  try {
    await work(deps, file, signal);
  } catch (error) {
    const end = endOf(error, lease);
    if (end === null) throw error;
    return endEarly(deps, file, lease, end);
  }
  // cast: no other state has work
  const finish = FINISH_PART[file.state as keyof typeof FINISH_PART];
  await deps.db.execute(finish, [lease.uid, lease.leaseUid, deps.clock.now()]);
}

/**
 * Ends the work on a move with the reason why not all of it was done. Its rows count as not done: none of them was done completely. A move that could
 * not be undone is imported still; its parts show what was undone.
 */
async function endEarly(deps: MoveDeps, file: CsvImport, lease: ImportLease, end: RowIssue): Promise<void> {
  const phase = file.state === "undoing" ? "undo" : "import";
  const [{ valid: rows }, done] = await Promise.all([
    totalsOf(deps, file.uid, "check"),
    totalsOf(deps, file.uid, phase),
  ]);
  await deps.db.tx(async (tx) => {
    if ((await tx.execute(END_PART_EARLY, [lease.uid, lease.leaseUid, deps.clock.now()])) === 0) return;
    await insertEnd(tx, { uid: file.uid, phase }, end);
    await recordMoved(tx, { uid: file.uid, phase }, { ...done, rows, valid: 0 });
  });
}

/**
 * Returns why a move ends before all of it is done; null: it is tried again. A part that cannot be checked has been tried as often in each attempt
 * of its move. What was imported before it stays, and can be undone with the move.
 */
function endOf(error: unknown, { attempts }: ImportLease): RowIssue | null {
  if (error instanceof FileGoneError) return issueOf("file_gone", null, null);
  if (error instanceof PartNotUndoneError) return issueOf("part_not_undone", null, error.part.kind);
  const isOver = error instanceof PartNotImportedError && attempts > ATTEMPTS_MAX;
  return isOver ? issueOf("part_not_imported", null, error.part.kind) : null;
}

async function checkMove(deps: MoveDeps, file: CsvImport, lease: ImportLease, signal: AbortSignal): Promise<void> {
  const { store, coupons, tiers } = await readProgram(deps.db);
  const counted = createMemberSums({ timeZone: store.timeZone, pointWorth: coupons.pointWorth, tiers: tiers.rules });
  try {
    let at = 0;
    for await (const { members, faults, earlier } of readMembers(deps, await moveOfUpload(deps, file))) {
      signal.throwIfAborted();
      counted.addEarlier(earlier);
      for (const member of members) counted.add(member);
      for (const ofRow of faults) counted.addFaults(ofRow);
      const added = members.reduce((sum, { member }) => sum + member.points, 0n);
      const counts = { rows: members.length + faults.length, valid: members.length, added, taken: 0n };
      const batch = { at: at++, counts, issues: faults.flat(), found: foundOf(members) };
      await deps.db.tx((tx) => insertSurveyBatch(tx, lease, batch));
      await moveLeases.noteProgress(deps.db, lease);
    }
  } catch (error) {
    if (error instanceof FileGoneError) return markUnreadable(deps, lease, { code: "could_not_be_read", line: 0 });
    if (!(error instanceof UnreadableFileError)) throw error;
    const { code, line } = error.reason;
    return markUnreadable(deps, lease, { code: code === "empty" ? "could_not_be_read" : code, line });
  }
  const sums = counted.sums();
  const result = { survey: surveyCodec.encode(sums), customers: sums.members, largest: sums.points };
  await deps.db.tx((tx) => finishSurvey(tx, lease, result));
}

/** Returns the rows whose customer is kept. Of a row with an address, not one who was found by the id: by the start, the customer may have another address. */
function foundOf(members: readonly ResolvedMember[]): readonly FoundRow[] {
  return members.flatMap(({ customer, foundBy, member: { n, line, email } }) =>
    customer === null || (foundBy === "id" && email !== null) ? [] : [{ ...customer, n, line }],
  );
}

async function importMove(deps: MoveDeps, file: CsvImport, signal: AbortSignal): Promise<void> {
  const move = await moveOfUpload(deps, file);
  const by = { uid: file.startedByUid ?? file.createdByUid, name: file.startedBy ?? file.createdBy };
  const { valid: rows } = await totalsOf(deps, file.uid, "check");
  const done: CsvImport[] = [];
  const record = async (parts: readonly CsvImport[], kinds: number) => {
    const [counts, refused, late] = await Promise.all([
      sumOf(deps, parts, "import"),
      countRefused(deps, parts),
      countLateIssues(deps.db, file.uid),
    ]);
    const shown = Math.floor((rows * kinds) / MOVE_KINDS.length);
    const valid = Math.max(0, shown - refused - late);
    await recordMoved(deps.db, { uid: file.uid, phase: "import" }, { ...counts, rows: shown, valid });
  };
  for (const [at, kind] of MOVE_KINDS.entries()) {
    const onProgress = async (part: CsvImport) => record([...done, part], at + (await shareDone(deps, part)));
    const part = await moveKind(deps, move, kind, {
      ...{ by, checkUid: file.uid },
      work: (uid, phase) => workOn(deps, { uid, phase, signal, ...(phase === "import" ? { onProgress } : {}) }),
      onLeftOut: (faults) => deps.db.tx((tx) => insertLateIssues(tx, file.uid, faults)),
    });
    if (part?.state === "given_up") await refuseErased(deps, file);
    if (part !== null) done.push(part);
    await record(done, at + 1);
  }
}

/** Throws FileGoneError if it was an erasure that cancelled a part, and not a person: it removes the move's file too. */
async function refuseErased(deps: MoveDeps, { uid }: CsvImport): Promise<void> {
  if ((await selectImportPiece(deps.db, uid, 0)) === undefined) throw new FileGoneError(uid);
}

/** Returns how much of a part is imported, from 0 to 1. */
async function shareDone(deps: MoveDeps, { uid }: CsvImport): Promise<number> {
  const [all, done] = await Promise.all([totalsOf(deps, uid, "check"), totalsOf(deps, uid, "import")]);
  return all.valid === 0 ? 0 : Math.min(1, done.rows / all.valid);
}

/**
 * Returns how many rows the parts left out, in their checks or later. A row of customers that is left out (another row has its address) does not
 * count: its points go to the customer who has the address, or are left out themselves.
 */
async function countRefused(deps: MoveDeps, parts: readonly CsvImport[]): Promise<number> {
  const files = parts.filter(({ kind }) => kind !== "customers");
  const sums = await Promise.all([sumOf(deps, files, "check"), sumOf(deps, files, "import")]);
  return sums.reduce((sum, { rows, valid }) => sum + rows - valid, 0);
}

async function undoAll(deps: MoveDeps, file: CsvImport, signal: AbortSignal): Promise<void> {
  const by = { uid: file.startedByUid ?? file.createdByUid, name: file.undoneBy ?? file.createdBy };
  const moveUid = moveUidOfUpload(file);
  const { valid: rows } = await totalsOf(deps, file.uid, "check");
  // all parts, since some may have been undone before this work was interrupted
  const span = { from: file.startedAt ?? file.createdAt, to: deps.clock.now() };
  const readParts = () => selectMoveImportsOfTime(deps.db, moveUid, span);
  const record = (sums: StepCounts) => recordMoved(deps.db, { uid: file.uid, phase: "undo" }, sums);
  const onProgress = async () => {
    const parts = await readParts();
    const [all, sums] = await Promise.all([sumOf(deps, parts, "import"), sumOf(deps, parts, "undo")]);
    const shown = Math.floor((rows * sums.rows) / Math.max(1, all.rows));
    await record({ ...sums, rows: shown, valid: Math.max(0, shown - (sums.rows - sums.valid)) });
  };
  const work = (uid: string, phase: Phase) => workOn(deps, { uid, phase, signal, onProgress });
  try {
    await undoMove(deps, moveUid, { by, work });
  } finally {
    if (!signal.aborted) await record(await sumOf(deps, await readParts(), "undo"));
  }
}

const BUSY = { check: "checking", import: "importing", undo: "undoing" } as const;
/** How many polls are between two records of the progress. */
const PROGRESS_POLLS = 4;

interface WorkedPart {
  readonly uid: string;
  readonly phase: Phase;
  readonly signal: AbortSignal;
  readonly onProgress?: (part: CsvImport) => Promise<void>;
}

/** Waits until a part of one of the imports is done. */
async function workOn(
  deps: MoveDeps,
  { uid, phase, signal, onProgress = async () => {} }: WorkedPart,
): Promise<CsvImport> {
  for (let polls = 1; ; polls++) {
    const part = await selectImport(deps.db, uid);
    if (part.state !== BUSY[phase]) return part;
    if (polls % PROGRESS_POLLS === 0) await onProgress(part);
    await delay(POLL_MS, undefined, { signal });
  }
}

/** Returns the sums of some imports for a phase. */
async function sumOf(deps: MoveDeps, files: readonly CsvImport[], phase: Phase): Promise<StepCounts> {
  const all = await Promise.all(files.map(({ uid }) => totalsOf(deps, uid, phase)));
  return all.reduce(
    (sum, { rows, valid, added, taken }) => ({
      ...{ rows: sum.rows + rows, valid: sum.valid + valid },
      ...{ added: sum.added + added, taken: sum.taken + taken },
    }),
    NOTHING,
  );
}

const NOTHING: StepCounts = { rows: 0, valid: 0, added: 0n, taken: 0n };

async function totalsOf(deps: MoveDeps, uid: string, phase: Phase): Promise<StepCounts> {
  const found = (await selectTotals(deps.db, [uid])).get(uid)?.find((each) => each.phase === phase);
  if (found === undefined) return NOTHING;
  const { rowCount, validCount, pointsAdded: added, pointsTaken: taken } = found;
  return { rows: Number(rowCount), valid: Number(validCount), added, taken };
}
