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
 * Drops the bodies of receipts that are done, which contain personal data and are large, some days after they came, in slices. The rows stay, so that a delivery is never
 * taken twice; what is not done keeps its body. Returns how many were dropped.
 */
export async function pruneReceipts(deps: Pick<Deps, "db" | "clock" | "config">): Promise<number> {
  const before = deps.clock.now().subtract({ hours: 24 * deps.config.retention.receiptDays });
  for (let total = 0; ; ) {
    const dropped = await deps.db.execute(PRUNE, [before]);
    total += dropped;
    if (dropped < SLICE_ROWS) return total;
  }
}
