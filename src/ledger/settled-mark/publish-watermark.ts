import type { Queryable } from "../../db/pool.ts";
import { CLOCK_SLACK } from "../../time/is-ahead.ts";

// A watermark that is not settled yet gives way to this one, whose transactions are recorded anew: they include those of the other that still run.
const PUBLISH = `update ledger_mark
set floor_at = $1::timestamptz - interval '1 microsecond',
  floor_xid = null
where floor_at < $1::timestamptz - interval '1 microsecond'
  and $2::timestamptz <= (select greatest(clock_timestamp(), max(c.now_at)) from sandbox_clock c)`;

/**
 * Makes every allotment, and every change of a tier (by `fed_at`), that is decided after this commits one of this time or later, by whichever node's clock.
 * Of what is stored with this time it can then be said what came after it, although the clock of the node that gives the time may be ahead of others. A
 * time that is further ahead of the database's than clocks differ is not published: all allotments would have its date until that time comes. In a
 * transaction, make it the last statement: the mark's row is locked until the commit.
 */
export async function publishWatermark(queryable: Pick<Queryable, "execute">, at: Temporal.Instant): Promise<void> {
  await queryable.execute(PUBLISH, [at, at.subtract(CLOCK_SLACK)]);
}
