import { setImmediate } from "node:timers/promises";
import type { Tx } from "../../db/pool.ts";
import { createExpiryCounter, type ExpiryChange, type ExpiryEffect } from "./expiry-effect.ts";
import { selectDatedLots } from "./queries.ts";

const BUCKETS = 256;
const STEP_BUCKETS_MAX = 64;
/** Steps grow while they are below it, so that a large store is read in small pieces and a small one in few. */
const STEP_LOTS = 5_000;
/** Counted in one go; then other requests have their turn. */
const TURN_LOTS = 5_000;

/**
 * What a change of the rules does to the dates of points; writes nothing. All lots are read, some buckets at a time, until `isOver`
 * says that enough was: a bucket is a hash, so what was read by then is an even sample.
 */
export async function previewExpiries(tx: Tx, change: ExpiryChange, isOver: () => boolean): Promise<ExpiryEffect> {
  const counter = createExpiryCounter(change);
  let from = 0;
  for (let step = 1; from < BUCKETS && (from === 0 || !isOver()); ) {
    const to = Math.min(BUCKETS, from + step);
    const lots = await selectDatedLots(tx, { from, to });
    for (const [index, lot] of lots.entries()) {
      counter.add(lot);
      if (index % TURN_LOTS === TURN_LOTS - 1) await setImmediate();
    }
    step = lots.length < STEP_LOTS ? Math.min(STEP_BUCKETS_MAX, 2 * step) : 1;
    from = to;
  }
  return counter.finish(from / BUCKETS);
}
