import type { Deps } from "../../deps.ts";

/** The longest wait before a resend is 6.4 days: what is due later is of a clock that was ahead and has been corrected since (decision 63). */
const LATEST = "$2::timestamptz + interval '7 days'";

// By the end of the index: almost always there is none.
const HAS_LATE = `
select
from delivery
where subscription_uid = $1
  and state = 'waiting'
  and due_at > ${LATEST}
order by due_at desc
limit 1`;

const BRING_FORWARD = `
update delivery
set due_at = $2
where subscription_uid = $1
  and state = 'waiting'
  and due_at > ${LATEST}`;

/** Makes a receiver's deliveries due now that wait for a time which only a clock that was ahead can have given them. */
export async function bringForward(deps: Pick<Deps, "db" | "clock">, subscriptionUid: string): Promise<void> {
  const params = [subscriptionUid, deps.clock.now()];
  if ((await deps.db.query(HAS_LATE, params)).length > 0) await deps.db.execute(BRING_FORWARD, params);
}
