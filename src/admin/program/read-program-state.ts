import type { Deps } from "../../deps.ts";
import { programOf, showProgramDocument } from "../../program/program-document.ts";
import { completeProgramDocument } from "../../program/program-merge.ts";
import { selectProgramVersion } from "../../program/program-queries.ts";
import { type ProgramDocument, programReader } from "../../program/program-schema.ts";
import { nextCheckAfter } from "../../tiers/check-dates.ts";

/** The present program as it is shown, with its version and its next tier check. */
export interface ProgramNow {
  readonly version: number;
  readonly author: string;
  readonly createdAt: Temporal.Instant;
  /** From when it applies to orders; null: for all time. */
  readonly validFrom: Temporal.Instant | null;
  readonly document: ProgramDocument;
  readonly defaults: ProgramDocument;
  readonly now: Temporal.Instant;
  readonly nextCheckAt: Temporal.Instant;
}

/** Reads the newest version of the program with everything that is stored about it (program.md 9). */
export async function readProgramState(deps: Pick<Deps, "db" | "clock">): Promise<ProgramNow> {
  const row = await selectProgramVersion(deps.db);
  if (row === undefined)
    throw new Error("there is no version of the program: ensureProgram makes the first at the start");
  const { version, author, createdAt, validFrom } = row;
  const document = completeProgramDocument(row.document);
  const now = deps.clock.now();
  const { tiers, store } = programOf(document, row);
  return {
    version,
    author,
    createdAt,
    validFrom,
    document: showProgramDocument(document),
    defaults: completeProgramDocument(programReader.placeholder),
    now,
    nextCheckAt: nextCheckAfter(now, tiers, store.timeZone),
  };
}
