import type { Queryable } from "../../db/pool.ts";
import { readLatestNow } from "../../db/read-latest-now.ts";
import type { Deps } from "../../deps.ts";
import { CONFIRMED_MINUTES, isConfirmed, type SignedIn } from "./session.ts";

/**
 * Returns until when a session is confirmed; null: it is not. A confirmation after this node's time is of another node: then the database's time counts
 * too, so that it is neither lost nor lasts longer where this node's clock is slow.
 */
export async function readConfirmedUntil(
  deps: Pick<Deps, "clock"> & { readonly db: Queryable },
  session: Pick<SignedIn, "confirmedAt">,
): Promise<Temporal.Instant | null> {
  const { confirmedAt } = session;
  const own = deps.clock.now();
  const now = Temporal.Instant.compare(confirmedAt, own) > 0 ? await readLatestNow(deps.db, own) : own;
  return isConfirmed(session, now) ? confirmedAt.add({ minutes: CONFIRMED_MINUTES }) : null;
}
