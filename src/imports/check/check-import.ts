import type { Deps } from "../../deps.ts";
import { readProgram } from "../../program/read-program.ts";
import { CHECK_ROWS, CHECK_SIZE_MAX, type CsvImport } from "../csv-import.ts";
import { type ImportLease, importLeases } from "../lease-queries.ts";
import { type FileRow, readRows, type UnreadableFile } from "../read/read-rows.ts";
import { readSample } from "../read/read-sample.ts";
import { selectChecked } from "../step-queries.ts";
import { addWarnings } from "./add-warnings.ts";
import { checkBatch } from "./check-batch.ts";
import { countProfiles } from "./count-profiles.ts";
import { countRows } from "./count-rows.ts";
import { dropRepeatedEmails } from "./drop-repeated-emails.ts";
import { finishCheck } from "./finish-check.ts";
import { markUnreadable } from "./mark-unreadable.ts";

/** Batches that are checked in parallel. */
const IN_FLIGHT = 2;

/**
 * The dry run of an import: reads its file as a stream, stores valid rows and issues batch by batch, and continues after the batches that are already
 * checked. Returns false if `signal` aborted: the rest is left to the next worker.
 */
export async function checkImport(
  deps: Pick<Deps, "db" | "clock">,
  file: CsvImport,
  lease: ImportLease,
  signal: AbortSignal,
): Promise<boolean> {
  const [done, program, sample] = await Promise.all([
    selectChecked(deps.db, file.uid),
    readProgram(deps.db),
    readSample(deps.db, file, 1),
  ]);
  const headerCount = file.hasHeader ? (sample[0]?.length ?? null) : null;
  const { timeZone, currency } = program.store;
  const dates = { timeZone, currency, now: deps.clock.now(), rules: { ...program.expiration, timeZone } };
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for await (const { at, rows } of batchesOf(readRows(deps, file))) {
      if (signal.aborted) return false;
      if ("code" in rows) {
        await Promise.all(running);
        await markUnreadable(deps, lease, rows);
        return true;
      }
      if (done.has(at)) continue;
      const batch = { at, rows, headerCount, rules: program.tiers.rules, dates };
      const work = deps.db
        .txByKeys((tx) => checkBatch(tx, file, lease, batch))
        .then(() => importLeases.noteProgress(deps.db, lease));
      const tracked = work.catch((error: unknown) => void failures.push(error)).finally(() => running.delete(tracked));
      running.add(tracked);
      if (running.size >= IN_FLIGHT) await Promise.race(running);
      if (failures.length > 0) throw failures[0];
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  if (file.kind === "customers") await deps.db.tx((tx) => dropRepeatedEmails(tx, lease));
  await deps.db.tx((tx) => addWarnings(tx, file, lease));
  const profiles = file.kind === "customers" ? await countProfiles(deps, file.uid) : null; // before a lock blocks the renewal of the lease
  const counts = await countRows(deps, file.uid);
  await deps.db.tx((tx) => finishCheck(tx, lease, counts, profiles));
  return true;
}

/**
 * Returns rows in batches that are the same in each run: by row number, and smaller for large rows. The last element says why the rest cannot be
 * read.
 */
async function* batchesOf(
  pieces: ReturnType<typeof readRows>,
): AsyncGenerator<{ at: number; rows: readonly FileRow[] | UnreadableFile }> {
  let waiting: FileRow[] = [];
  let size = 0;
  let at = 0;
  for await (const piece of pieces) {
    if ("code" in piece) {
      yield { at, rows: piece };
      return;
    }
    for (const row of piece) {
      waiting.push(row);
      size += sizeOf(row);
      if (waiting.length < CHECK_ROWS && size < CHECK_SIZE_MAX) continue;
      yield { at: at++, rows: waiting };
      waiting = [];
      size = 0;
    }
  }
  if (waiting.length > 0) yield { at, rows: waiting };
}

function sizeOf({ cells }: FileRow): number {
  return cells.reduce((sum, text) => sum + text.length, cells.length);
}
