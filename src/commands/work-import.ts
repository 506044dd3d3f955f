import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import type { CsvImport, Phase } from "../imports/csv-import.ts";
import { selectLeaseSeconds } from "../imports/lease-queries.ts";
import { selectImport, selectTotals } from "../imports/queries.ts";
import { workImports } from "../imports/work-imports.ts";
import { createProgress, printNote } from "./output.ts";

const POLL_MS = 200;

const BUSY: Readonly<Record<Phase, "checking" | "importing" | "undoing">> = {
  check: "checking",
  import: "importing",
  undo: "undoing",
};

/** Waits until a part of the work on an import is done, and does it if no service does. Returns the import in its new state. */
export async function workImport(deps: Deps, uid: string, phase: Phase): Promise<CsvImport> {
  const busy = BUSY[phase];
  const { kind } = await selectImport(deps.db, uid);
  const progress = createProgress(`${busy} ${kind}`, "rows");
  const standstill = createStandstill();
  try {
    const ended = new AbortController();
    const working = keepWorking(deps, ended.signal);
    working.catch(() => {}); // the race below handles it
    for (let file = await selectImport(deps.db, uid); ; file = await selectImport(deps.db, uid)) {
      const done = (await selectTotals(deps.db, [uid])).get(uid) ?? [];
      const rows = Number(done.find((one) => one.phase === phase)?.rowCount ?? 0n);
      progress.update(rows, file.lineCount ?? undefined);
      if (standstill.begins(rows)) await sayWaiting(deps, uid);
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

/** Detects, once, that no row was done for some seconds. */
function createStandstill(): { begins(rows: number): boolean } {
  let last = { rows: -1, atMs: 0 };
  let isSaid = false;
  return {
    begins(rows) {
      const atMs = performance.now();
      if (rows !== last.rows) last = { rows, atMs };
      if (isSaid || atMs - last.atMs < STILL_MS) return false;
      isSaid = true;
      return true;
    },
  };
}

/** Says why nothing is done for a while, and until when, if another process works on the import, or did when it was killed. */
async function sayWaiting({ db }: Deps, uid: string): Promise<void> {
  const seconds = await selectLeaseSeconds(db, uid);
  if (seconds === undefined) return;
  printNote(
    `Waiting: a service has this import, or a process that was killed had it. If it was killed, this command goes on by itself in ${seconds} seconds.`,
  );
}

/** Does waiting work, unless a service does it: the work of a process that dies is taken over. */
async function keepWorking(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await workImports(deps, signal);
    await delay(POLL_MS, undefined, { signal }).catch(() => {}); // the end of the work ends the pause
  }
}
