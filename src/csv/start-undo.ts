import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../shop/read-program.ts";
import { needsAnother, type Person, UNDO_DAYS } from "./csv-import.ts";
import { lockImportIn } from "./lock-import-in.ts";
import { openLanes } from "./step-queries.ts";

const START = `update import
set state = 'undoing',
  undone_by = $2,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1`;

/**
 * Starts to undo an import as a whole, once; a worker does it. Throws `import_state` (409) where it was not imported, or longer ago
 * than rows are kept for it, `import_not_undoable` (409) for one of customers
 * that an older version started, and `import_needs_another` (403) where the rows of a
 * customer move more than the store's limit and that person started it.
 */
export async function startUndo(tx: Tx, deps: Pick<Deps, "clock">, uid: string, by: Person): Promise<void> {
  const found = await lockImportIn(tx, uid, ["imported"]);
  if (found.kind === "customers" && !found.keepsChanges) {
    const detail = "expected an import that was started by a version that keeps what was known of the customers before";
    throw new Problem("import_not_undoable", { faults: [{ detail }] });
  }
  const until = (found.finishedAt ?? deps.clock.now()).add({ hours: 24 * UNDO_DAYS });
  if (Temporal.Instant.compare(deps.clock.now(), until) >= 0) {
    const detail = `expected an import of the last ${UNDO_DAYS} days`;
    throw new Problem("import_state", { faults: [{ detail }] });
  }
  const { approvalLimit } = (await readProgram(tx)).staff;
  if (needsAnother(found, approvalLimit, by)) {
    const detail = `a customer's rows move ${found.largestPoints} points, more than ${approvalLimit}`;
    throw new Problem("import_needs_another", { faults: [{ detail }] });
  }
  await openLanes(tx, uid, "undo");
  await tx.execute(START, [uid, by.name]);
  const after = { kind: found.kind };
  await recordAction(tx, deps, { action: "import.undo_started", subject: { kind: "import", id: uid }, after });
}
