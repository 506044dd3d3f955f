import type { Deps } from "../deps.ts";
import type { CsvImport, StaffPerson } from "../imports/csv-import.ts";
import { giveUpImport } from "../imports/give-up-import.ts";
import { selectMoveImports } from "../imports/queries.ts";
import { startUndo } from "../imports/undo/start-undo.ts";

export interface UndoOptions {
  readonly by: StaffPerson;
  readonly work: (uid: string, phase: "undo") => Promise<CsvImport>;
  /** Whether the age of the move was checked when a person started to undo it; its first part's age is checked otherwise. */
  readonly isInTime?: boolean;
}

/**
 * Undoes a complete move, the last kind first: tiers, points, and the members whom it created and who have had no activity since. What was undone
 * before stays undone. `work` waits until a part is done. Returns the imports in their final state.
 */
export async function undoMove(
  deps: Pick<Deps, "db" | "clock">,
  moveUid: string,
  { by, work, isInTime = false }: UndoOptions,
): Promise<readonly CsvImport[]> {
  const files = await selectMoveImports(deps.db, moveUid);
  const undone: CsvImport[] = [];
  let isBegun = isInTime || files.some(({ state }) => state === "undoing" || state === "undone");
  for (const { uid, state } of files.toReversed()) {
    if (state === "imported") {
      await deps.db.tx((tx) => startUndo(tx, deps, uid, { by, isApproved: true }, { isInTime: isBegun }));
      isBegun = true;
    }
    if (state === "imported" || state === "undoing") undone.push(await work(uid, "undo"));
    else await deps.db.tx((tx) => giveUpImport(tx, deps, uid));
  }
  return undone;
}
