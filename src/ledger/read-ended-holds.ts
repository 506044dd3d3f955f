import type { Tx } from "../db/pool.ts";
import type { HoldEnd } from "./hold.ts";
import type { CustomerLedger } from "./posting.ts";

const READ_ENDED = `select r.customer_uid as "customerUid",
  r.uid,
  r.point_value as points,
  r.expires_at as at
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join reservation r on r.bucket = w.bucket and r.customer_uid = w.customer_uid
where r.state = 'held'
  and r.expires_at <= $3
order by r.expires_at, r.uid`;

/** Holds of locked balances that are over by `now` and not yet released, by customer uid, soonest first. The rows tell whether to look. */
export async function readEndedHolds(
  tx: Tx,
  balances: readonly CustomerLedger[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, readonly HoldEnd[]>> {
  const over = balances.filter(({ heldUntil }) => heldUntil !== null && Temporal.Instant.compare(heldUntil, now) <= 0);
  if (over.length === 0) return new Map();
  const rows = await tx.query<Omit<HoldEnd, "captured"> & { customerUid: string }>(READ_ENDED, [
    over.map(({ bucket }) => bucket),
    over.map(({ customerUid }) => customerUid),
    now,
  ]);
  return Map.groupBy(
    rows.map((row) => ({ ...row, captured: 0n })),
    ({ customerUid }) => customerUid,
  );
}
