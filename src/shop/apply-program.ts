import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { Program } from "./program.ts";
import { parseProgramDocument, programOf, showProgramDocument } from "./program-document.ts";
import {
  changesBetween,
  completeProgramDocument,
  mergeProgramDocument,
  type ProgramChange,
  shortensExpiration,
} from "./program-merge.ts";
import { insertProgramVersion, type ProgramVersionRow, selectProgramVersion } from "./program-queries.ts";
import { type ProgramDocument, TIER_RULES_MAX } from "./program-schema.ts";
import { formatInstant } from "./store-time.ts";

export interface ApplyProgramInput<M> {
  /** JSON as it was parsed, whole or in part. */
  readonly document: unknown;
  readonly author: string;
  /** Only tells what would happen. */
  readonly isDryRun: boolean;
  /** The version that the document was made from: refused where it is not the newest any more. Absent: any. */
  readonly baseVersion?: number;
  /**
   * Tells, in the same transaction, who moves by the change, and moves them where that is due now (program.md 6). Called when
   * something changes, after the version is written; in a dry run it must write nothing.
   */
  readonly movers?: (tx: Tx, change: ProgramTransition) => Promise<M>;
}

export interface ProgramTransition {
  readonly before: Program;
  readonly after: Program;
  readonly isDryRun: boolean;
}

export interface AppliedProgram<M> {
  /** The version that is valid now; in a dry run the one that there would be. */
  readonly version: number;
  readonly changes: readonly ProgramChange[];
  /** As it is shown. */
  readonly document: ProgramDocument;
  readonly movers: M | null;
}

/**
 * Lays a document, whole or in part, over the present program and keeps the outcome as a new version, valid from now on
 * (program.md 9). A document that changes nothing makes no version. Applied at the same time, documents make a version each,
 * one upon the other. The currency may change: orders keep the rules and the currency that they came in, an order in a
 * currency other than the store's neither earns nor counts as spend, and amounts of the program are not converted.
 * Throws `invalid` with all faults at once, each with the member's JSON pointer, and `program_changed`; nothing is kept then.
 */
export async function applyProgram<M = never>(
  deps: Pick<Deps, "db" | "clock" | "random">,
  input: ApplyProgramInput<M>,
): Promise<AppliedProgram<M>> {
  return await deps.db.tx(async (tx) => {
    if (!input.isDryRun) await tx.execute("lock table program_version in exclusive mode");
    const previous = await readPrevious(tx);
    checkBase(previous, input.baseVersion);
    const document = parse(deps, input.document, previous.document);
    const changes = changesBetween(showProgramDocument(previous.document), showProgramDocument(document));
    if (changes.length === 0)
      return { version: previous.version, changes, document: showProgramDocument(document), movers: null };

    const next = nextVersion(deps, { previous, document, author: input.author });
    if (!input.isDryRun) {
      const written = await insertProgramVersion(tx, next);
      if (written !== 1) throw new Error(`version ${next.version} of the program is taken`);
    }
    const transition = {
      before: programOf(previous.document, previous),
      after: programOf(document, next),
      isDryRun: input.isDryRun,
    };
    const movers = (await input.movers?.(tx, transition)) ?? null;
    return { version: next.version, changes, document: showProgramDocument(document), movers };
  });
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
  { previous, document, author }: { previous: ProgramVersionRow; document: ProgramDocument; author: string },
): ProgramVersionRow {
  const now = deps.clock.now();
  const version = previous.version + 1;
  const before = programOf(previous.document, previous).expiration;
  const after = programOf(document, { version, shortenedAt: null }).expiration;
  return {
    version,
    uid: deps.random.uid(),
    document,
    author,
    createdAt: Temporal.Instant.compare(now, previous.createdAt) > 0 ? now : previous.createdAt,
    shortenedAt: shortensExpiration(before, after) ? now : previous.shortenedAt,
  };
}
