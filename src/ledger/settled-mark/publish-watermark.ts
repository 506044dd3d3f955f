import type { Queryable } from "../../db/pool.ts";

// A watermark that is not settled yet gives way to this one, whose transactions are recorded anew: they include those of the other that still run.
const PUBLISH = `update ledger_mark
set floor_at = $1::timestamptz - interval '1 microsecond',
  floor_xid = null
where floor_at < $1::timestamptz - interval '1 microsecond'`;

/**
 * Makes every allotment, and every change of a tier (by `fed_at`), that is decided after this commits one of this time or later, by whichever node's clock.
 * Of what is stored with this time it can then be said what came after it, although the clock of the node that gives the time may be ahead of others.
 */
export async function publishWatermark(queryable: Pick<Queryable, "execute">, at: Temporal.Instant): Promise<void> {
  await queryable.execute(PUBLISH, [at]);
}
