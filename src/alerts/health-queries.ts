import { readSelfCheck } from "../checkpoints/self-check-queries.ts";
import type { Queryable } from "../db/pool.ts";
import { DEAD_AFTER_FAILURES } from "../webhooks/delivery/retry-schedule.ts";

/** Conditions that may need a person, for Home and for alerts; rows are counted up to 10,001. */
export interface ServiceHealth {
  readonly deliveriesFailed: bigint;
  readonly deliveriesRetried: bigint;
  /** Receivers that no longer acknowledge, by topic. */
  readonly receiversDead: readonly { readonly uid: string; readonly topic: string }[];
  /** The names of jobs whose last run failed, that are late, or whose process died. */
  readonly jobsTroubled: readonly string[];
  readonly receiptsFailed: bigint;
  readonly receiptsWaiting: bigint;
  readonly approvalsWaiting: bigint;
  /** Orders that wait for a program: their currency is not the stand-in's, and no person has applied a program. */
  readonly ordersNoProgram: bigint;
  readonly ordersOtherCurrency: bigint;
  readonly ordersNoCustomer: bigint;
  /** Orders of versions that are being re-evaluated. */
  readonly ordersToReview: bigint;
  /** The breaches of the ledger that the self-check found. */
  readonly ledgerBreaches: bigint;
}

const COUNTED_MAX = 10_001;

// A job is late, as in the list of jobs, if it was due five minutes ago by the store's clock ($1) or the machine's, and has not begun.
const HEALTH = `select
  (select count(*) from (select from delivery where state = 'failed' limit ${COUNTED_MAX}) d) as "deliveriesFailed",
  (select count(*) from (select from delivery where state = 'waiting' and attempts > 0 limit ${COUNTED_MAX}) d)
    as "deliveriesRetried",
  (select coalesce(jsonb_agg(jsonb_build_object('uid', uid, 'topic', topic) order by topic, uid), '[]')
    from subscription
    where failures >= ${DEAD_AFTER_FAILURES}) as "receiversDead",
  array(select p.name
    from job_plan p
    left join job j on j.name = p.name
    where j.failures_in_row > 0
      or (case p.timing when 'store' then p.next_at < $1::timestamptz - interval '5 minutes'
        else j.ready_at < clock_timestamp() - interval '5 minutes' end
        and coalesce(j.lease_until < clock_timestamp(), true))
    order by p.position) as "jobsTroubled",
  (select count(*) from (select from receipt where state in ('failed', 'quarantined') limit ${COUNTED_MAX}) r)
    as "receiptsFailed",
  (select count(*) from (select from receipt where state = 'waiting' limit ${COUNTED_MAX}) r) as "receiptsWaiting",
  (select count(*) from (select from adjustment_request where state = 'waiting' limit ${COUNTED_MAX}) q) as "approvalsWaiting",
  case when $2 then o.orders else 0 end as "ordersNoProgram",
  case when $2 then 0 else o.orders end as "ordersOtherCurrency",
  (select count(*) from (select from store_order where state = 'waiting' limit ${COUNTED_MAX}) w) as "ordersNoCustomer",
  (select coalesce(sum(greatest(orders_total - orders_done, 1)), 0)::bigint from program_review where finished_at is null)
    as "ordersToReview"
from (
  select count(*) as orders
  from (select from store_order where state = 'other_currency' limit ${COUNTED_MAX}) c) o`;

/** Returns the counts, each from few rows of an index. `isStandIn`: no person has applied a program. */
export async function selectHealth(
  queryable: Queryable,
  now: Temporal.Instant,
  isStandIn: boolean,
): Promise<ServiceHealth> {
  const [health] = await queryable.query<Omit<ServiceHealth, "ledgerBreaches">>(HEALTH, [now, isStandIn]);
  if (health === undefined) throw new Error("a select without from answers one row");
  const { breaches } = await readSelfCheck(queryable);
  return { ...health, ledgerBreaches: BigInt(breaches.length) };
}
