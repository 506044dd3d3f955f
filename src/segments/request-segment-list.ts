import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { beginSegmentList, lockSegment } from "./segment-queries.ts";

/** Requests a new list of a segment. Does nothing while one is being built. Throws `not_found`. */
export async function requestSegmentList(deps: Pick<Deps, "db" | "clock">, uid: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const found = await lockSegment(tx, uid);
    if (found === undefined) throw new Problem("not_found");
    if (found.nextBucket === null) await beginSegmentList(tx, found, deps.clock.now());
  });
}
