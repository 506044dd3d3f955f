import type { Deps } from "../deps.ts";
import { platformCan } from "../platforms/index.ts";
import { ENDS_HERE } from "./coupon-queries.ts";

const SELECT_NEXT = `select min(c.due_at) as "dueAt"
from coupon c
where c.state = 'open'
  and ($1 or ${ENDS_HERE})`;

/** Returns the earliest time at which `expireCoupons` has a coupon to close; null: none is open. */
export async function nextCouponDueAt(deps: Pick<Deps, "db" | "config">): Promise<Temporal.Instant | null> {
  const isAlone = !platformCan(deps.config.platforms, "coupon-codes");
  const [row] = await deps.db.query<{ dueAt: Temporal.Instant | null }>(SELECT_NEXT, [isAlone]);
  return row?.dueAt ?? null;
}
