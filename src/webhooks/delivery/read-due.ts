import type { Deps } from "../../deps.ts";
import { heldBack } from "../queries.ts";
import type { DueDelivery } from "./delivery.ts";
import { HOLDING_ATTEMPTS_MAX } from "./retry-schedule.ts";

// A first attempt is due at once: its due_at is from another node's clock, which may be a little ahead of this one's. `offset 0`: each event is
// found by its key. With statistics from a moment without events, a plan that joins reads all of them for each delivery.
const SELECT_DUE = `
with due as materialized (
  select d.bucket, d.uid, d.customer_uid, d.version, d.attempts, d.due_at
  from subscription s
  join delivery d on d.subscription_uid = s.uid
  where s.uid = $1
    and d.state = 'waiting'
    and d.due_at <= $2::timestamptz + interval '5 seconds'
    and (d.attempts = 0 or d.due_at <= $2)
    and d.uid <> all($3::uuid[])
    and (d.customer_uid is null or d.customer_uid <> all($4::uuid[]))
    and ($5 or not ${heldBack("$6", "$3::uuid[]")})
  order by d.due_at, d.uid
  limit $7)
select due.bucket, due.uid, due.customer_uid as "customerUid", due.version, due.attempts, due.due_at as "dueAt",
  case when due.attempts = 0 then 'first' else 'resend' end as kind, e.payload, e.traceparent,
  null as place, null as "eventAt"
from due
cross join lateral (
  select payload, traceparent
  from outbox_event
  where bucket = due.bucket
    and uid = due.uid
  offset 0) e
order by due.due_at, due.uid`;

// Planned once, while the statement above is planned again for each list of uids: most receivers have no such waiting rows. Ordered like the
// index, so that no plan searches the waiting rows of all other receivers.
const HAS_WAITING = `
select
from delivery
where subscription_uid = $1
  and state = 'waiting'
order by due_at
limit 1`;

export interface DueQuery {
  subscriptionUid: string;
  /** Deliveries that are already in memory. */
  knownUids: readonly string[];
  /** Customers who have enough deliveries in memory. */
  busyCustomers: readonly string[];
  /** A dead receiver gets every due delivery; a healthy one gets a customer's deliveries one after the other. */
  isDead: boolean;
  rowsMax: number;
}

/** Returns one receiver's deliveries with own rows that are due by the business clock, longest due first. They are returned again until recorded. */
export async function readDue(deps: Pick<Deps, "db" | "clock">, query: DueQuery): Promise<DueDelivery[]> {
  if ((await deps.db.query(HAS_WAITING, [query.subscriptionUid])).length === 0) return [];
  return deps.db.query<DueDelivery>(SELECT_DUE, [
    query.subscriptionUid,
    deps.clock.now(),
    query.knownUids,
    query.busyCustomers,
    query.isDead,
    HOLDING_ATTEMPTS_MAX,
    query.rowsMax,
  ]);
}
