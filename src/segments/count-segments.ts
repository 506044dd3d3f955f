import { adaptiveBatchSize, type BackpressureDeps, pauseWhileBusy } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { filterSql } from "./filter-sql.ts";
import {
  advanceSegment,
  beginSegmentList,
  deleteDropped,
  insertFound,
  lockNextSegment,
  lockOldSegment,
} from "./segment-queries.ts";

type CountDeps = BackpressureDeps & Pick<Deps, "db" | "clock">;

/** Buckets per transaction; with 10 million customers a bucket has 40,000. */
const BUCKETS = { quiet: 4, busy: 1 };
const LAST_BUCKET = 255;
const DROPPED_ROWS = 10_000;
/** The age at which a list is built again. */
const OLD_HOURS = 24;
const STEPS = 300;

/**
 * Builds the requested lists of segments, some buckets per transaction, deletes replaced lists, and requests new lists for those that are a
 * day old. Any number of nodes may run it and be killed: each transaction locks the row of its segment. Returns the number of steps.
 */
export async function countSegments(deps: CountDeps): Promise<number> {
  for (let n = 0; n < STEPS; n++) {
    const startedMs = performance.now();
    const size = adaptiveBatchSize(deps, BUCKETS);
    const isWorked = await deps.db.tx(async (tx) => (await countStep(tx, deps, size)) || (await tidyStep(tx, deps)));
    if (!isWorked) return n;
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
  return STEPS;
}

async function countStep(tx: Tx, _deps: CountDeps, size: number): Promise<boolean> {
  const segment = await lockNextSegment(tx);
  if (segment === undefined || segment.nextBucket === null) return false;
  const sql = filterSql(segment.filter, { program: await readProgram(tx), now: segment.askedAt });
  const last = Math.min(LAST_BUCKET, segment.nextBucket + size - 1);
  const found = await insertFound(tx, segment, sql, [segment.nextBucket, last]);
  await advanceSegment(tx, segment, last + 1, found);
  return true;
}

async function tidyStep(tx: Tx, { clock }: CountDeps): Promise<boolean> {
  if ((await deleteDropped(tx, DROPPED_ROWS)) > 0) return true;
  const now = clock.now();
  const old = await lockOldSegment(tx, { before: now.subtract({ hours: OLD_HOURS }), now });
  if (old !== undefined) await beginSegmentList(tx, old, now);
  return old !== undefined;
}
