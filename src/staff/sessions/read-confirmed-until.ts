import type { Queryable } from "../../db/pool.ts";
import { CONFIRMED_MINUTES, isConfirmed, type SignedIn } from "./session.ts";

/**
 * Returns until when a session is confirmed; null: it is not. Confirmations are stored and compared by the database's clock, so that one ends for all nodes
 * at once, even where the clock of one is wrong.
 */
export async function readConfirmedUntil(
  deps: { readonly db: Queryable },
  session: Pick<SignedIn, "confirmedAt">,
): Promise<Temporal.Instant | null> {
  const [row] = await deps.db.query<{ now: Temporal.Instant }>("select clock_timestamp() as now");
  if (row === undefined || !isConfirmed(session, row.now)) return null;
  return session.confirmedAt.add({ minutes: CONFIRMED_MINUTES });
}
