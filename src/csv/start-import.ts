import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../shop/read-program.ts";
import { needsAnother, type Person } from "./csv-import.ts";
import { lockImportIn } from "./lock-import-in.ts";
import { selectTotals } from "./queries.ts";
import { openLanes } from "./step-queries.ts";

const START = `update import
set state = 'importing',
  started_at = $2,
  started_by_uid = $3,
  started_by = $4,
  keeps_changes = true,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1`;

/**
 * Starts to import the good rows of a file that was checked; a worker does it. Throws `import_needs_another` (403) where the rows of
 * a customer move more than the store's limit and it is that person who uploaded or checked the file, `invalid` (422) where no row is good, `import_state` (409).
 */
export async function startImport(tx: Tx, deps: Pick<Deps, "clock">, uid: string, by: Person): Promise<void> {
  const found = await lockImportIn(tx, uid, ["checked"]);
  const [program, totals] = await Promise.all([readProgram(tx), selectTotals(tx, [uid])]);
  const { approvalLimit } = program.staff;
  if (needsAnother(found, approvalLimit, by)) {
    const detail = `a customer's rows move ${found.largestPoints} points, more than ${approvalLimit}`;
    throw new Problem("import_needs_another", { faults: [{ detail }] });
  }
  const check = totals.get(uid)?.find(({ phase }) => phase === "check");
  if (check === undefined || check.goodCount === 0n)
    throw new Problem("invalid", { faults: [{ detail: "expected a file with at least one good row" }] });
  await openLanes(tx, uid, "import");
  await tx.execute(START, [uid, deps.clock.now(), by.uid, by.name]);
  const { goodCount: rows, pointsAdded, pointsTaken, createdCount, changedCount } = check;
  const moved = { points_added: pointsAdded, points_taken: pointsTaken };
  const told = { created: createdCount, updated: changedCount };
  const after = { kind: found.kind, rows, ...(found.kind === "customers" ? told : moved) };
  await recordAction(tx, deps, { action: "import.started", subject: { kind: "import", id: uid }, after });
}
