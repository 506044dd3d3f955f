import { recordAction } from "../audit/record-action.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { dropGeneration, lockSegment } from "./segment-queries.ts";

/** Deletes a segment; the worker deletes its lists. Throws `not_found`. */
export async function deleteSegment(deps: Pick<Deps, "db" | "clock" | "random">, uid: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const found = await lockSegment(tx, uid);
    if (found === undefined) throw new Problem("not_found");
    if (found.shownGeneration !== null) await dropGeneration(tx, uid, found.shownGeneration);
    await dropGeneration(tx, uid, found.generation);
    await tx.execute("delete from segment where uid = $1", [uid]);
    const subject = { kind: "segment", id: uid };
    await recordAction(tx, deps, { action: "segment.deleted", subject, before: { name: found.name } });
  });
}
