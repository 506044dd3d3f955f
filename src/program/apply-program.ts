import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { formatInstant } from "../time/store-time.ts";
import { type Program, STAND_IN_VERSION } from "./program.ts";
import { parseProgramDocument, programOf, showProgramDocument } from "./program-document.ts";
import { changesBetween, completeProgramDocument, mergeProgramDocument, type ProgramChange } from "./program-merge.ts";
import { insertProgramVersion, type ProgramVersionRow, selectProgramVersion } from "./program-queries.ts";
import { type ProgramDocument, TIER_RULES_MAX } from "./program-schema.ts";
import { shortenedAtOf } from "./shortened-at.ts";

export interface ApplyProgramInput<M> {
  /** The parsed JSON, complete or partial. */
  readonly document: unknown;
  readonly author: string;
  /** Only returns what would happen. */
  readonly isDryRun: boolean;
  /** The version from which the document was made: refused if it is no longer the newest one. Absent: any. */
  readonly baseVersion?: number;
  /**
   * The start of the version for orders, a time in the past: orders processed at or after it are re-evaluated. Absent or null: now. The
   * first program that a person applies applies to all earlier time, whatever is given here.
   */
  readonly validFrom?: Temporal.Instant | null;
  /**
   * Returns, in the same transaction, which customers the change moves, and moves them if that is due now (program.md 6). Called if
   * something changes, after the version is written; in a dry run it must write nothing.
   */
  readonly movers?: (tx: Tx, change: ProgramTransition) => Promise<M>;
}

export interface ProgramTransition {
  readonly before: Program;
  readonly after: Program;
  readonly isDryRun: boolean;
  /** The start of `after` for orders; null: all time. */
  readonly validFrom: Temporal.Instant | null;
  /** Whether it applies to orders from before the change: a start was given, or it replaces the stand-in. */
  readonly isForPast: boolean;
}

export interface AppliedProgram<M> {
  /** The version that is valid now; in a dry run the one that would be. */
  readonly version: number;
  readonly changes: readonly ProgramChange[];
  /** Its start for orders; null: all time. */
  readonly validFrom: Temporal.Instant | null;
  /** Whether a version is created, or would be. */
  readonly isNew: boolean;
  /** In the form that is shown. */
  readonly document: ProgramDocument;
  readonly movers: M | null;
}

/**
 * Applies a document, complete or partial, on top of the present program and stores the result as a new version, valid from now on or from
 * `validFrom` (program.md 9). Without an earlier start, a document that changes nothing creates no version. Documents applied at the same
 * time create a version each, one on top of the other. The currency may change: orders keep the rules and the currency in which they came,
 * an order in a currency other than the store's neither earns nor counts as spend, and amounts of the program are not converted. Throws
 * `invalid` with all faults together, each with the field's JSON pointer, and `program_changed`; nothing is stored then.
 */
export async function applyProgram<M = never>(
  deps: Pick<Deps, "db" | "clock" | "random">,
  input: ApplyProgramInput<M>,
): Promise<AppliedProgram<M>> {
  return await deps.db.tx(async (tx) => {
    if (!input.isDryRun) await tx.execute("select lock_program_versions(true)");
    const previous = await readPrevious(tx);
    checkBase(previous, input.baseVersion);
    const document = parse(deps, input.document, previous.document);
    const shown = showProgramDocument(document);
    const changes = changesBetween(showProgramDocument(previous.document), shown);
    const start = checkStart(deps, input.validFrom ?? null);
    if (changes.length === 0 && !startsEarlier(start, previous)) {
      const { version, validFrom } = previous;
      return { version, validFrom, changes, isNew: false, document: shown, movers: null };
    }

    const next = nextVersion(deps, { previous, document, author: input.author, start });
    if (!input.isDryRun) {
      const written = await insertProgramVersion(tx, next);
      if (written !== 1) throw new Error(`version ${next.version} of the program is taken`);
    }
    const transition = {
      before: programOf(previous.document, previous),
      after: programOf(document, next),
      isDryRun: input.isDryRun,
      validFrom: next.validFrom,
      isForPast: start !== null || previous.version === STAND_IN_VERSION,
    };
    const movers = (await input.movers?.(tx, transition)) ?? null;
    return { version: next.version, validFrom: next.validFrom, changes, isNew: true, document: shown, movers };
  });
}

/** Rounds a start to microseconds, as the database stores it. Throws `invalid` for one in the future. */
function checkStart({ clock }: Pick<Deps, "clock">, start: Temporal.Instant | null): Temporal.Instant | null {
  if (start === null) return null;
  if (Temporal.Instant.compare(start, clock.now()) <= 0)
    return start.round({ smallestUnit: "microsecond", roundingMode: "floor" });
  throw new Problem("invalid", {
    faults: [{ pointer: "/valid_from", detail: "expected a time that is not in the future" }],
  });
}

function startsEarlier(start: Temporal.Instant | null, { version, validFrom }: ProgramVersionRow): boolean {
  if (start === null || version === STAND_IN_VERSION) return false;
  return validFrom !== null && Temporal.Instant.compare(start, validFrom) < 0;
}

function checkBase({ version, author, createdAt }: ProgramVersionRow, baseVersion: number | undefined): void {
  if (baseVersion === undefined || baseVersion === version) return;
  const detail = `expected ${version}, which ${author} made at ${formatInstant(createdAt)}`;
  throw new Problem("program_changed", { faults: [{ pointer: "/base_version", detail }] });
}

async function readPrevious(tx: Tx): Promise<ProgramVersionRow> {
  const row = await selectProgramVersion(tx);
  if (row === undefined)
    throw new Error("there is no version of the program: ensureProgram makes the first at the start");
  return { ...row, document: completeProgramDocument(row.document) };
}

function parse(deps: Pick<Deps, "random">, given: unknown, previous: ProgramDocument): ProgramDocument {
  const spareUids = Array.from({ length: TIER_RULES_MAX }, () => deps.random.uid());
  const parsed = parseProgramDocument(mergeProgramDocument(previous, given), { previous, spareUids });
  if (parsed.kind === "faults") throw new Problem("invalid", { faults: parsed.faults });
  return parsed.document;
}

function nextVersion(
  deps: Pick<Deps, "clock" | "random">,
  {
    previous,
    document,
    author,
    start,
  }: { previous: ProgramVersionRow; document: ProgramDocument; author: string; start: Temporal.Instant | null },
): ProgramVersionRow {
  const now = deps.clock.now();
  const version = previous.version + 1;
  const before = programOf(previous.document, previous);
  const after = programOf(document, { version, shortenedAt: null });
  // the stand-in has the time of the first start, and a sandbox may begin before it
  const isLater = previous.version === STAND_IN_VERSION || Temporal.Instant.compare(now, previous.createdAt) > 0;
  const createdAt = isLater ? now : previous.createdAt;
  return {
    version,
    uid: deps.random.uid(),
    document,
    author,
    createdAt,
    validFrom: previous.version === STAND_IN_VERSION ? null : (start ?? createdAt),
    shortenedAt: shortenedAtOf(before, after, now),
  };
}
