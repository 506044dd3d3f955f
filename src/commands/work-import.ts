import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import type { CsvImport, Phase } from "../imports/csv-import.ts";
import { selectImport, selectTotals } from "../imports/queries.ts";
import { workImports } from "../imports/work-imports.ts";
import { createProgress } from "./output.ts";

const POLL_MS = 200;

const BUSY: Readonly<Record<Phase, "checking" | "importing" | "undoing">> = {
  check: "checking",
  import: "importing",
  undo: "undoing",
};

/** Waits until a part of the work on an import is done, doing it where no service does. Returns the import as it is then. */
export async function workImport(deps: Deps, uid: string, phase: Phase): Promise<CsvImport> {
  const busy = BUSY[phase];
  const progress = createProgress(busy, "rows");
  try {
    const ended = new AbortController();
    const working = keepWorking(deps, ended.signal);
    working.catch(() => {}); // the race below has it
    for (let file = await selectImport(deps.db, uid); ; file = await selectImport(deps.db, uid)) {
      const done = (await selectTotals(deps.db, [uid])).get(uid) ?? [];
      progress.update(Number(done.find((one) => one.phase === phase)?.rowCount ?? 0n), file.lineCount ?? undefined);
      if (file.state !== busy) {
        ended.abort();
        await working;
        return file;
      }
      await Promise.race([delay(POLL_MS), working]);
    }
  } finally {
    progress.end();
  }
}

/** Does what waits, unless a service does it: one that dies is taken over. */
async function keepWorking(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await workImports(deps, signal);
    await delay(POLL_MS, undefined, { signal }).catch(() => {}); // the end of the work ends the pause
  }
}
