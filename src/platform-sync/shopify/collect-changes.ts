import type { Deps } from "../../deps.ts";
import { readProgram } from "../../program/read-program.ts";
import { nextCheckAfter } from "../../tiers/check-dates.ts";
import {
  insertTriggers,
  lockChangeFeed,
  markAllStale,
  markStale,
  moveChangeFeed,
  openChangeFeed,
  readSettledAllotments,
  takeTierChanges,
} from "./change-queries.ts";
import { digestOf, shopAttributes } from "./loyalty-attributes.ts";

const BATCH = 1_000;

/**
 * Collects what is to be synced: a trigger for each settled allotment with points and each change of tier, and whose metafields
 * are stale. Reads behind the settled mark, so that the write path pays nothing and nothing is missed, though transactions
 * commit out of order. One node at a time. Returns how many allotments were read.
 */
export async function collectChanges(deps: Pick<Deps, "db" | "clock">): Promise<number> {
  return deps.db.tx(async (tx) => {
    await openChangeFeed(tx);
    const feed = await lockChangeFeed(tx);
    if (feed === undefined) return 0;
    const [program, allotments, retiered] = await Promise.all([
      readProgram(tx),
      readSettledAllotments(tx, feed, BATCH),
      takeTierChanges(tx, BATCH),
    ]);
    await insertTriggers(
      tx,
      allotments.filter(({ isMoving }) => isMoving),
    );
    await markStale(tx, [...allotments, ...retiered]);
    const now = deps.clock.now();
    const deadline = nextCheckAfter(now, program.tiers, program.store.timeZone);
    const { includeTax } = program.earning;
    const rates = digestOf(
      JSON.stringify([shopAttributes(program, now), deadline.toString(), includeTax, program.version]),
    );
    if (feed.ratesDigest === null || !rates.equals(feed.ratesDigest)) await markAllStale(tx, rates);
    const last = allotments.at(-1);
    if (last !== undefined) await moveChangeFeed(tx, last);
    return allotments.length;
  });
}
