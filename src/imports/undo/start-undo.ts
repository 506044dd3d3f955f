import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { type CsvImport, UNDO_DAYS, undoneUntil } from "../csv-import.ts";
import { lockToStart, type Started, type Starting } from "../lock-to-start.ts";
import { openShards } from "../step-queries.ts";

const START = `update import
set state = 'undoing',
  undone_by = $2,
  waits_until = null,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1`;

/**
 * Starts to undo a complete import, once, if its person may move that many points alone or a second person has approved it; a worker does it. Throws
 * `import_state` (409) if it was not imported, or longer ago than its rows are kept, `import_waits` (409), and `import_not_undoable` (409) for one of
 * customers that an older version started.
 */
export async function startUndo(tx: Tx, deps: Pick<Deps, "clock">, uid: string, starting: Starting): Promise<Started> {
  const now = deps.clock.now();
  const { file, over } = await lockToStart(tx, uid, starting, {
    state: "imported",
    now,
    check: (found) => checkUndoable(found, now),
  });
  if (over !== null) return over;
  await openShards(tx, uid, "undo");
  await tx.execute(START, [uid, starting.by.name]);
  const after = { kind: file.kind };
  await recordAction(tx, deps, { action: "import.undo_started", subject: { kind: "import", id: uid }, after });
  return { kind: "started" };
}

function checkUndoable(file: CsvImport, now: Temporal.Instant): void {
  if (file.kind === "customers" && !file.keepsChanges) {
    const detail = "expected an import that was started by a version that keeps what was known of the customers before";
    throw new Problem("import_not_undoable", { faults: [{ detail }] });
  }
  const until = undoneUntil(file);
  if (until !== null && Temporal.Instant.compare(now, until) >= 0) {
    const detail = `expected an import of the last ${UNDO_DAYS} days`;
    throw new Problem("import_state", { faults: [{ detail }] });
  }
}
