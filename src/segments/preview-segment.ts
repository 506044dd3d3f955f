import type { ReadDeps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { filterSql, forBuckets } from "./filter-sql.ts";
import type { SegmentFilter } from "./segment-filter.ts";

const BUCKETS = 256;
const TIME_MS = 1_500;
/** Ends a single statement that takes too long: one bucket of 10 million customers takes a tenth of this time. */
const STATEMENT_TIMEOUT = "set local statement_timeout = '3s'";

export interface SegmentPreview {
  readonly customers: number;
  /** False: an estimate from the buckets that could be read in time. */
  readonly isExact: boolean;
}

/** The number of customers who match a filter now. The time is limited, so the result for a large store is an estimate. */
export async function previewSegment(
  deps: Pick<ReadDeps, "db" | "clock">,
  filter: SegmentFilter,
): Promise<SegmentPreview> {
  return await deps.db.snapshot(async (tx) => {
    await tx.execute(STATEMENT_TIMEOUT);
    const sql = filterSql(filter, { program: await readProgram(tx), now: deps.clock.now() });
    const startedMs = performance.now();
    let [bucket, size, found] = [0, 1, 0];
    while (bucket < BUCKETS && performance.now() - startedMs < TIME_MS) {
      const last = Math.min(BUCKETS, bucket + size) - 1;
      const stepMs = performance.now();
      const [row] = await tx.query<{ count: bigint }>(
        `select count(*) as count ${sql.text}`,
        forBuckets(sql, bucket, last),
      );
      found += Number(row?.count ?? 0n);
      bucket = last + 1;
      if (performance.now() - stepMs < TIME_MS / 20) size *= 2;
    }
    return { customers: Math.round((found * BUCKETS) / bucket), isExact: bucket === BUCKETS };
  });
}
