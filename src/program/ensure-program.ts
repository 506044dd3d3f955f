import type { Deps } from "../deps.ts";
import { parseProgramDocument } from "./program-document.ts";
import { insertProgramVersion, selectProgramVersion } from "./program-queries.ts";
import { TIER_RULES_MAX } from "./program-schema.ts";

/**
 * At the start: creates version 1 with every default if there is no version yet, a stand-in until somebody applies a program. Safe if
 * several nodes start at once.
 */
export async function ensureProgram(deps: Pick<Deps, "db" | "clock" | "random">): Promise<void> {
  if ((await selectProgramVersion(deps.db)) !== undefined) return;
  const spareUids = Array.from({ length: TIER_RULES_MAX }, () => deps.random.uid());
  const parsed = parseProgramDocument({}, { previous: null, spareUids });
  if (parsed.kind === "faults") throw new Error(`the default program has faults: ${JSON.stringify(parsed.faults)}`);
  await insertProgramVersion(deps.db, {
    version: 1,
    uid: deps.random.uid(),
    document: parsed.document,
    author: "pointkeeper",
    createdAt: deps.clock.now(),
    validFrom: null,
    shortenedAt: null,
  });
}
