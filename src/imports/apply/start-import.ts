import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { publishWatermark } from "../../ledger/settled-mark/publish-watermark.ts";
import { type Fault, Problem } from "../../problems.ts";
import type { PhaseTotals } from "../csv-import.ts";
import { lockToStart, type Started, type Starting } from "../lock-to-start.ts";
import { partOfMove } from "../part-of-move.ts";
import { hasIssue, openShards } from "../step-queries.ts";

const START = `update import
set state = 'importing',
  started_at = $2,
  started_by_uid = $3,
  started_by = $4,
  waits_until = null,
  keeps_changes = true,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1`;

/**
 * Starts to import the valid rows of a checked file, if its person may move that many points alone or a second person has approved it; a worker does
 * it. Throws `invalid` (422) if no row is valid, `import_waits` (409), and `import_state` (409) if it is not checked, or is a part of another app's file
 * and `moveUid` does not name that file.
 */
export async function startImport(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  uid: string,
  { moveUid, ...starting }: Starting & { readonly moveUid?: string },
): Promise<Started> {
  const now = deps.clock.now();
  const { file, totals, over } = await lockToStart(tx, uid, starting, {
    state: "checked",
    now,
    check: async (found, checked) => {
      const { move } = found.options;
      if (move !== null && move.uid !== moveUid) throw partOfMove(found, "started");
      if (checkOf(checked) === undefined) await refuseEmpty(tx, uid);
    },
  });
  if (over !== null) return over;
  await openShards(tx, uid, "import");
  await tx.execute(START, [uid, now, starting.by.uid, starting.by.name]);
  const { validCount: rows = 0n, pointsAdded, pointsTaken, createdCount, changedCount } = checkOf(totals) ?? {};
  const moved = { points_added: pointsAdded, points_taken: pointsTaken };
  const changes = { created: createdCount, updated: changedCount };
  const after = { kind: file.kind, rows, ...(file.kind === "customers" ? changes : moved) };
  await recordAction(tx, deps, { action: "import.started", subject: { kind: "import", id: uid }, after });
  if (file.kind === "tiers") tx.atCommit(publishWatermark(tx, now)); // merges since the start are found by their time
  return { kind: "started" };
}

/** Returns the result of the check; undefined: no row is valid. */
function checkOf(totals: readonly PhaseTotals[]): PhaseTotals | undefined {
  return totals.find(({ phase, validCount }) => phase === "check" && validCount > 0n);
}

/** Throws `invalid` for a file without a valid row. */
async function refuseEmpty(tx: Tx, uid: string): Promise<void> {
  const faults: Fault[] = [{ detail: "expected a file with at least one good row" }];
  if (await hasIssue(tx, uid, "moved_before"))
    faults.push({
      pointer: "/options/again",
      detail: "expected true to give points once more to customers who received some from an earlier file of the app",
    });
  if (await hasIssue(tx, uid, "spent_before"))
    faults.push({
      pointer: "/options/again",
      detail: "expected true to count orders once more that an earlier file of the app brought",
    });
  throw new Problem("invalid", { faults });
}
