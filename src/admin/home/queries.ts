import { readSelfCheck } from "../../checkpoints/self-check-queries.ts";
import type { Queryable } from "../../db/pool.ts";
import { DEAD_AFTER_FAILURES } from "../../webhooks/retry-schedule.ts";

/** What may need somebody's attention; each is counted up to 10,001. */
export interface ServiceHealth {
  readonly deliveriesFailed: bigint;
  readonly deliveriesRetried: bigint;
  readonly receiversDead: bigint;
  readonly jobsTroubled: bigint;
  readonly receiptsFailed: bigint;
  readonly receiptsWaiting: bigint;
  readonly approvalsWaiting: bigint;
  /** Orders that wait for a program: they came in another currency than the stand-in's, and nobody has applied one. */
  readonly ordersNoProgram: bigint;
  readonly ordersOtherCurrency: bigint;
  readonly ordersNoCustomer: bigint;
  /** Of the versions whose orders are being re-evaluated. */
  readonly ordersToReview: bigint;
  /** What the self-check found of the ledger. */
  readonly ledgerBreaches: bigint;
}

const COUNTED_MAX = 10_001;

// As the list of jobs tells it: late is what was due five minutes ago, by the store's clock ($1) or the machine's, and has not begun.
const HEALTH = `select
  (select count(*) from (select from delivery where state = 'failed' limit ${COUNTED_MAX}) d) as "deliveriesFailed",
  (select count(*) from (select from delivery where state = 'waiting' and attempts > 0 limit ${COUNTED_MAX}) d)
    as "deliveriesRetried",
  (select count(*) from subscription where failures >= ${DEAD_AFTER_FAILURES}) as "receiversDead",
  (select count(*)
    from job_plan p
    left join job j on j.name = p.name
    where j.failures_in_row > 0
      or (case p.timing when 'store' then p.next_at < $1::timestamptz - interval '5 minutes'
        else j.ready_at < clock_timestamp() - interval '5 minutes' end
        and coalesce(j.lease_until < clock_timestamp(), true))) as "jobsTroubled",
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

/** Each count reads few rows of an index. `isStandIn`: nobody has applied a program. */
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

/** What a new store has got to. */
export interface Setup {
  readonly hasProgram: boolean;
  readonly hasEvents: boolean;
  readonly hasCustomers: boolean;
  readonly hasPoints: boolean;
  readonly lastReceiptAt: Temporal.Instant | null;
  readonly hasImport: boolean;
  readonly owners: number;
  /** Names of the steps that a person confirmed. */
  readonly confirmed: readonly string[];
}

// Each part reads one row of an index, or a table of a few rows.
const SETUP = `select
  exists (select from program_version where version > 1) as "hasProgram",
  exists (select from receipt) as "hasEvents",
  exists (select from customer) as "hasCustomers",
  exists (select 1 from allotment) as "hasPoints",
  (select received_at from receipt order by uid desc limit 1) as "lastReceiptAt",
  exists (select from import where state in ('importing', 'imported')) as "hasImport",
  (select count(*)::integer from staff where role = 'owner' and disabled_at is null) as owners,
  array(select step from setup_step) as confirmed`;

export async function selectSetup(queryable: Queryable): Promise<Setup> {
  const [setup] = await queryable.query<Setup>(SETUP);
  if (setup === undefined) throw new Error("a select without from answers one row");
  return setup;
}

/** Keeps that a person confirmed a step, or takes it back; returns whether that changed anything. */
export async function writeSetupStep(
  queryable: Queryable,
  { step, isConfirmed, at, by }: { step: string; isConfirmed: boolean; at: Temporal.Instant; by: string },
): Promise<boolean> {
  const changed = isConfirmed
    ? await queryable.execute(
        `insert into setup_step (step, confirmed_at, confirmed_by)
         values ($1, $2, $3)
         on conflict (step) do nothing`,
        [step, at, by],
      )
    : await queryable.execute("delete from setup_step where step = $1", [step]);
  return changed > 0;
}
