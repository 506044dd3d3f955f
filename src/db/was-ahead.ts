import type { Deps } from "../deps.ts";
import { isAhead } from "../time/is-ahead.ts";
import type { Queryable } from "./pool.ts";
import { readLatestNow } from "./read-latest-now.ts";

type Clocks = Pick<Deps, "clock"> & { readonly db: Queryable };

/** Whether a stored time is of a clock that was ahead: it is after the database's clock too. If only this node's clock is slow, the time is right. */
export async function wasAhead({ db, clock }: Clocks, at: Temporal.Instant): Promise<boolean> {
  const now = clock.now();
  return isAhead(at, now) && isAhead(at, await readLatestNow(db, now));
}
