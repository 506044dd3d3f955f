import type { Deps } from "../../deps.ts";
import type { DueDelivery } from "./delivery.ts";

// `offset 0`: each event is found by its key, whatever the statistics expect (`read-due.ts`).
const SELECT_EARLY = `
with early as materialized (
  select d.bucket, d.uid, d.customer_uid, d.version, d.attempts, d.due_at
  from subscription s
  join delivery d on d.subscription_uid = s.uid
  where s.uid = $1
    and d.state = 'waiting'
    and d.attempts > 0
    and d.revival < $2
    and d.due_at > $3
    and d.uid > $4
    and d.uid <> all($5::uuid[])
  order by d.uid
  limit $6)
select early.bucket, early.uid, early.customer_uid as "customerUid", early.version, early.attempts, early.due_at as "dueAt",
  'early' as kind, e.payload, e.traceparent,
  null as place, null as "eventAt"
from early
cross join lateral (
  select payload, traceparent
  from outbox_event
  where bucket = early.bucket
    and uid = early.uid
  offset 0) e
order by early.uid`;

export interface EarlyQuery {
  subscriptionUid: string;
  /** The receiver's revivals: deliveries not tried since the last revival get their early try. */
  revivals: number;
  /** Where the last read ended: uids rise with time. */
  afterUid: string;
  knownUids: readonly string[];
  rowsMax: number;
}

/** Returns deliveries that wait for a later resend and have an early try left since their receiver recovered (program.md 7). */
export async function readEarly(deps: Pick<Deps, "db" | "clock">, query: EarlyQuery): Promise<DueDelivery[]> {
  return deps.db.query<DueDelivery>(SELECT_EARLY, [
    query.subscriptionUid,
    query.revivals,
    deps.clock.now(),
    query.afterUid,
    query.knownUids,
    query.rowsMax,
  ]);
}
