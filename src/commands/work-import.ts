import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import type { CsvImport, Phase } from "../imports/csv-import.ts";
import { IMPORT_LEASE_S } from "../imports/lease-queries.ts";
import { selectImport, selectTotals } from "../imports/queries.ts";
import { workImports } from "../imports/work-imports.ts";
import { createProgress, printNote } from "./output.ts";

const POLL_MS = 200;

const BUSY: Readonly<Record<Phase, "checking" | "importing" | "undoing">> = {
  check: "checking",
  import: "importing",
  undo: "undoing",
};

/** Waits until a part of the work on an import is done, doing it where no service does. Returns the import as it is then. */
export async function workImport(deps: Deps, uid: string, phase: Phase): Promise<CsvImport> {
  const busy = BUSY[phase];
  const { kind } = await selectImport(deps.db, uid);
  const progress = createProgress(`${busy} ${kind}`, "rows");
  const standstill = createStandstill();
  try {
    const ended = new AbortController();
    const working = keepWorking(deps, ended.signal);
    working.catch(() => {}); // the race below has it
    for (let file = await selectImport(deps.db, uid); ; file = await selectImport(deps.db, uid)) {
      const done = (await selectTotals(deps.db, [uid])).get(uid) ?? [];
      const rows = Number(done.find((one) => one.phase === phase)?.rowCount ?? 0n);
      progress.update(rows, file.lineCount ?? undefined);
      standstill.look(rows);
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

const STILL_MS = 5_000;

/** Says once why nothing may be done for a while, when no row is done for some seconds. */
function createStandstill(): { look(rows: number): void } {
  let last = { rows: -1, atMs: 0 };
  let isSaid = false;
  return {
    look(rows) {
      const atMs = performance.now();
      if (rows !== last.rows) last = { rows, atMs };
      if (isSaid || atMs - last.atMs < STILL_MS) return;
      isSaid = true;
      printNote(
        `Waiting: a service has this import, or a process that was killed had it: it is taken over after ${IMPORT_LEASE_S} seconds at most.`,
      );
    },
  };
}

/** Does what waits, unless a service does it: one that dies is taken over. */
async function keepWorking(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await workImports(deps, signal);
    await delay(POLL_MS, undefined, { signal }).catch(() => {}); // the end of the work ends the pause
  }
}
