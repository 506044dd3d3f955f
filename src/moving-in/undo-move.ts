import type { Deps } from "../deps.ts";
import { type CsvImport, isUndoable, type StaffPerson } from "../imports/csv-import.ts";
import { giveUpImport } from "../imports/give-up-import.ts";
import { selectImport, selectMoveImports } from "../imports/queries.ts";
import { startUndo } from "../imports/undo/start-undo.ts";
import { PartNotUndoneError } from "./move.ts";

/**
 * Undoes a complete move, the last kind first: tiers, points, and the members whom it created and who have had no activity since. What was undone
 * before stays undone. `work` waits until a part is done. Returns the imports in their final state. Throws PartNotUndoneError
 * at a part that can no longer be undone: it stays as it is, and so do those before it, which it depends on.
 */
export async function undoMove(
  deps: Pick<Deps, "db" | "clock">,
  moveUid: string,
  { by, work }: { readonly by: StaffPerson; readonly work: (uid: string, phase: "undo") => Promise<CsvImport> },
): Promise<readonly CsvImport[]> {
  const files = await selectMoveImports(deps.db, moveUid);
  const undone: CsvImport[] = [];
  for (const { uid } of files.toReversed()) {
    const part = await selectImport(deps.db, uid); // it may have been undone by itself since
    if (part.state === "undone" || part.state === "given_up") continue;
    const { state } = part;
    if (state === "imported" && !isUndoable(part, deps.clock.now())) throw new PartNotUndoneError(part);
    if (state === "imported") await deps.db.tx((tx) => startUndo(tx, deps, uid, { by, isApproved: true }));
    if (state === "imported" || state === "undoing") undone.push(await work(uid, "undo"));
    else await deps.db.tx((tx) => giveUpImport(tx, deps, uid));
  }
  return undone;
}
