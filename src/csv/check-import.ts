import type { Deps } from "../deps.ts";
import { readProgram } from "../shop/read-program.ts";
import { checkBatch } from "./check-batch.ts";
import { CHECK_ROWS, type CsvImport } from "./csv-import.ts";
import { finishCheck } from "./finish-check.ts";
import type { ImportLease } from "./lease-queries.ts";
import { type FileRow, readRows, type UnreadableFile } from "./read-rows.ts";
import { readSample } from "./read-sample.ts";
import { selectChecked } from "./step-queries.ts";

/** Batches that are checked beside each other. */
const IN_FLIGHT = 2;

const MARK_UNREADABLE = `update import
set state = 'uploaded',
  error = $3,
  unreadable_line = $4,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2
  and state = 'checking'`;

/**
 * The dry run of an import: reads its file as a stream, keeps good rows and faults batch by batch, and goes on behind what was
 * checked before. Answers false where `signal` aborted: the rest is left to the next worker.
 */
export async function checkImport(
  deps: Pick<Deps, "db">,
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
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for await (const { at, rows } of batchesOf(readRows(deps, file))) {
      if (signal.aborted) return false;
      if ("code" in rows) return await markUnreadable(deps, lease, rows);
      if (done.has(at)) continue;
      const work = deps.db.tx((tx) => checkBatch(tx, file, { at, rows, headerCount, rules: program.tiers.rules }));
      const tracked = work.catch((error: unknown) => void failures.push(error)).finally(() => running.delete(tracked));
      running.add(tracked);
      if (running.size >= IN_FLIGHT) await Promise.race(running);
      if (failures.length > 0) throw failures[0];
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  await deps.db.tx((tx) => finishCheck(tx, file, lease));
  return true;
}

/** Rows in batches that are the same however the file comes: by their number. Last, why the rest cannot be read. */
async function* batchesOf(
  pieces: ReturnType<typeof readRows>,
): AsyncGenerator<{ at: number; rows: readonly FileRow[] | UnreadableFile }> {
  let waiting: FileRow[] = [];
  let at = 0;
  for await (const piece of pieces) {
    if ("code" in piece) {
      yield { at, rows: piece };
      return;
    }
    for (const row of piece) waiting.push(row);
    while (waiting.length >= CHECK_ROWS) {
      yield { at: at++, rows: waiting.slice(0, CHECK_ROWS) };
      waiting = waiting.slice(CHECK_ROWS);
    }
  }
  if (waiting.length > 0) yield { at, rows: waiting };
}

async function markUnreadable(
  deps: Pick<Deps, "db">,
  { uid, leaseUid }: ImportLease,
  { code, line }: UnreadableFile,
): Promise<boolean> {
  await deps.db.execute(MARK_UNREADABLE, [uid, leaseUid, code, line]);
  return true;
}
