import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { startImport } from "../imports/apply/start-import.ts";
import { holdImport, lockImport } from "../imports/queries.ts";
import { startUndo } from "../imports/undo/start-undo.ts";
import { Problem } from "../problems.ts";
import type { ImportRequest } from "./adjustment-request.ts";
import type { Deciding } from "./lock-decidable.ts";
import { writeDecision } from "./request-queries.ts";

/**
 * Decides a locked request for an import or its undoing. If approved, it starts in the requester's name as it was checked: it was not changed since.
 * If refused or withdrawn, it may be changed, started and cancelled again. Throws `request_expired` (409) if the file no longer waits for this request: by a
 * node whose clock was ahead the request was over, and it checked the file again. Throws `import_state` (409) if a person's erasure has cancelled it, it is too
 * old to be undone, or an older version requested the start of a part of another app's file.
 */
export async function decideImport(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  request: ImportRequest,
  { decision, staff, note }: Deciding,
): Promise<void> {
  const { uid, importUid, requestedBy, requestedName } = request;
  const isUndo = request.kind === "import_undo";
  const { waitsUntil } = await lockImport(tx, importUid);
  const isHeldForIt = waitsUntil !== null && Temporal.Instant.compare(waitsUntil, request.expiresAt) === 0;
  if (decision === "approved") {
    const starting = { by: { uid: requestedBy, name: requestedName }, isApproved: true };
    await (isUndo ? startUndo : startImport)(tx, deps, importUid, starting);
    if (!isHeldForIt) throw new Problem("request_expired"); // after the refusals of the file itself
  } else if (isHeldForIt) await holdImport(tx, importUid, null);
  await writeDecision(tx, uid, { decision, by: staff.uid, name: staff.name, at: deps.clock.now(), note });
  await recordAction(tx, deps, {
    action: `import.${isUndo ? "undo" : "start"}_${decision}`,
    subject: { kind: "import", id: importUid },
    after: { request: uid, requested_by: requestedName },
  });
}
