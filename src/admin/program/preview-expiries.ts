import { setImmediate } from "node:timers/promises";
import type { Tx } from "../../db/pool.ts";
import { createExpiryCounter, type ExpiryChange, type ExpiryEffect } from "./expiry-effect.ts";
import { selectDatedLots } from "./queries.ts";

const BUCKETS = 256;
const STEP_BUCKETS_MAX = 64;
/** Steps grow while they read fewer lots than this, so that a large store is read in small steps and a small one in few. */
const STEP_LOTS = 5_000;
/** The number of lots counted before other requests get a turn. */
const TURN_LOTS = 5_000;

/**
 * Returns the effect of a change of the rules on expiry dates; writes nothing. It reads all lots, some buckets at a time, until `isOver` returns
 * true: a bucket is a hash, so the lots read by then are an even sample.
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
