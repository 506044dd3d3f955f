import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type CsvImport, isUndoable, type StaffPerson } from "../imports/csv-import.ts";
import { giveUpImport } from "../imports/give-up-import.ts";
import { selectImport, selectMoveImports } from "../imports/queries.ts";
import { startUndo } from "../imports/undo/start-undo.ts";
import { PartNotUndoneError } from "./move.ts";

/**
 * Undoes a complete move, the last kind first: tiers, points, and the members whom it created and who have had no activity since. What was undone
 * before stays undone, and what another call undoes at the same time is waited for. `work` waits until a part is done. Returns the imports in their
 * final state. Throws PartNotUndoneError at a part that can no longer be undone: it stays as it is, and so do those before it, which it depends on.
 */
export async function undoMove(
  deps: Pick<Deps, "db" | "clock">,
  moveUid: string,
  { by, work }: { readonly by: StaffPerson; readonly work: (uid: string, phase: "undo") => Promise<CsvImport> },
): Promise<readonly CsvImport[]> {
  const files = await selectMoveImports(deps.db, moveUid);
  const undone: CsvImport[] = [];
  for (const { uid } of files.toReversed()) {
    const part = await beginUndo(deps, uid, by);
    if (part.state === "imported" || part.state === "undoing") undone.push(await work(uid, "undo"));
    if (part.state === "undone") undone.push(part);
  }
  return undone;
}

/** Begins to undo a part, or cancels one that was not started. Returns it as it was. */
async function beginUndo(deps: Pick<Deps, "db" | "clock">, uid: string, by: StaffPerson): Promise<CsvImport> {
  for (;;) {
    const part = await selectImport(deps.db, uid); // it may have been undone by itself since
    const { state } = part;
    if (state === "imported" && !isUndoable(part, deps.clock.now())) throw new PartNotUndoneError(part);
    if (state === "undone" || state === "given_up" || state === "undoing") return part;
    const begin = async (tx: Tx): Promise<unknown> =>
      state === "imported" ? startUndo(tx, deps, uid, { by, isApproved: true }) : giveUpImport(tx, deps, uid);
    try {
      await deps.db.tx(begin);
      return part;
    } catch (error) {
      if ((await selectImport(deps.db, uid)).state === state) throw error; // otherwise somebody else has begun it at the same moment
    }
  }
}
