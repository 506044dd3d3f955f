import { lockMover } from "../../allowance/queries.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { CsvImport, StaffPerson } from "../csv-import.ts";
import { lockImportIn } from "../lock-import-in.ts";
import { selectTotals } from "../queries.ts";
import type { FileOverLimit } from "../read-file-excess.ts";
import { recordFileMovement } from "../record-file-movement.ts";
import { openShards } from "../step-queries.ts";

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

/** In whose name a file is started or undone. */
export interface Starting {
  readonly by: StaffPerson;
  /** Whether a second person approved it: else it is within the person's own allowance, or is not done. */
  readonly isApproved: boolean;
}

/** Begun: a worker does it; or above the person's allowance, and nothing was written. */
export type Started = { readonly kind: "started" } | (FileOverLimit & { readonly file: CsvImport });

/**
 * Starts to import the valid rows of a file that was checked, where its person may move so much alone or a second one approved it; a worker does
 * it. Throws `invalid` (422) where no row is valid, `import_state` and `import_waits` (409).
 */
export async function startImport(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  uid: string,
  { by, isApproved }: Starting,
): Promise<Started> {
  const now = deps.clock.now();
  if (!isApproved) await lockMover(tx, by.uid);
  const file = await lockImportIn(tx, uid, { states: ["checked"], now, isApproved });
  const totals = (await selectTotals(tx, [uid])).get(uid) ?? [];
  const check = totals.find(({ phase }) => phase === "check");
  if (check === undefined || check.validCount === 0n)
    throw new Problem("invalid", { faults: [{ detail: "expected a file with at least one good row" }] });
  const { validCount: rows, pointsAdded, pointsTaken, createdCount, changedCount } = check;
  if (!isApproved) {
    const over = await recordFileMovement(tx, { file, totals, staffUid: by.uid, now });
    if (over !== null) return { ...over, file };
  }
  await openShards(tx, uid, "import");
  await tx.execute(START, [uid, now, by.uid, by.name]);
  const moved = { points_added: pointsAdded, points_taken: pointsTaken };
  const changes = { created: createdCount, updated: changedCount };
  const after = { kind: file.kind, rows, ...(file.kind === "customers" ? changes : moved) };
  await recordAction(tx, deps, { action: "import.started", subject: { kind: "import", id: uid }, after });
  return { kind: "started" };
}
