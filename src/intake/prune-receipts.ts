import type { Deps } from "../deps.ts";

const SLICE_ROWS = 2_000;

const PRUNE = `update receipt
set body = null,
  headers = null
where key in (
  select key
  from receipt
  where state = 'done'
    and body is not null
    and received_at <= $1
  limit ${SLICE_ROWS}
  for update skip locked)`;

/**
 * Deletes the bodies of done receipts some days after they arrived, in slices, because they contain personal data and are large. The rows
 * stay, so that a delivery is never processed twice; receipts that are not done keep their bodies. Returns how many were deleted.
 */
export async function pruneReceipts(deps: Pick<Deps, "db" | "clock" | "config">): Promise<number> {
  const before = deps.clock.now().subtract({ hours: 24 * deps.config.retention.receiptDays });
  for (let total = 0; ; ) {
    const dropped = await deps.db.execute(PRUNE, [before]);
    total += dropped;
    if (dropped < SLICE_ROWS) return total;
  }
}
