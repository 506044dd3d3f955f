import { recordMovement } from "../allowance/record-movement.ts";
import type { Tx } from "../db/pool.ts";
import { fileTotal } from "./csv-import.ts";
import { type AskedFile, type FileOverLimit, readFileExcess } from "./read-file-excess.ts";

/**
 * Records what a file of points moves, or its undoing once it is imported, as a movement of its person, where it is within the person's
 * allowance; null: it is, or it moves no points. To be called under `lockMover`.
 */
export async function recordFileMovement(tx: Tx, asked: AskedFile): Promise<FileOverLimit | null> {
  const { file, staffUid, now } = asked;
  if (file.kind !== "points") return null;
  const over = await readFileExcess(tx, asked);
  if (over !== null) return over;
  const of = { importUid: file.uid, isUndo: file.state === "imported" };
  await recordMovement(tx, { staffUid, at: now, of, ...fileTotal(asked) });
  return null;
}
