import type { Queryable, Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import type { SpendWindow } from "./check-dates.ts";
import { type Candidate, SPEND_MAX } from "./evaluation-plan.ts";
import { spendSum } from "./tier-queries.ts";

export const BUCKETS = 256;

/** A row of `designation`. */
export interface EvaluationRow {
  readonly uid: string;
  readonly kind: "check" | "program";
  readonly at: Temporal.Instant;
  readonly programVersion: number;
  readonly beforeVersion: number;
  readonly scope: "all" | "deleted";
  readonly actor: string | null;
  /** Buckets below it are done. */
  readonly nextBucket: number;
}

const COLUMNS = `d.uid,
  d.kind,
  d.at,
  d.program_version as "programVersion",
  d.before_version as "beforeVersion",
  d.scope,
  d.actor,
  d.next_bucket as "nextBucket"`;

const INSERT = `insert into designation (uid, kind, at, program_version, before_version, scope, actor)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (at) where kind = 'check' do nothing`;

const OLDEST_OPEN = `select ${COLUMNS}
from designation d
where d.finished_at is null
order by d.at, d.kind, d.uid
limit 1`;

const SINCE = `select ${COLUMNS}
from designation d
where d.finished_at is null
  or d.finished_at >= $1
order by d.at, d.kind, d.uid`;

const LAST_CHECK = `select d.at,
  d.program_version as "programVersion"
from designation d
where d.kind = 'check'
order by d.at desc
limit 1`;

// What an order counts toward tiers may change with a program, or with tags, for a time before the check. A customer whose orders could not be
// evaluated for an hour has a problem of its own and must not stop other customers' checks.
const HAS_ORDERS_TO_REVIEW = `select exists (
    select
    from order_review r
    where r.cause in ('tags', 'move')
      and r.from_at < $1
      and r.asked_at > $2::timestamptz - interval '1 hour')
  or exists (
    select
    from program_version v
    left join program_review r on r.version = v.version
    cross join lateral (
      select
      from store_order o
      where (o.processed_at, o.order_id) > (coalesce(r.after_at, '-infinity'), coalesce(r.after_id, ''))
        and o.processed_at >= coalesce(v.valid_from, '-infinity')
        and o.processed_at < $1
        and (o.rules ->> 'programVersion')::integer < v.version
      limit 1) o
    where v.version > 1
      and r.finished_at is null) as "isFound"`;

const ADVANCE = `update designation
set next_bucket = $3,
  finished_at = $4
where uid = $1
  and next_bucket = $2`;

const COUNT_MOVED = `update designation
set moved = moved + $2
where uid = $1`;

const NEXT_BUCKET = `select d.next_bucket as "nextBucket"
from designation d
where d.uid = $1`;

// Held until the chunk is written: meanwhile the buckets cannot be marked as done, and nodes take turns.
const HOLD_STEP = `select d.uid
from designation d
where d.uid = $1
  and d.next_bucket = $2
for no key update of d`;

const STANDING = `t.tier_uid as "tierUid",
  t.minimum_tier_uid as "minimumTierUid",
  coalesce(t.skip_next_check, false) as "skipNextCheck",
  case when t.kept_until > $1 then t.kept_tier_uid end as "keptTierUid",
  case
    when t.changed_at > $1 and t.skip_next_check then not coalesce((
      select s.skip_next_check
      from tier_standing s
      where s.bucket = t.bucket and s.customer_uid = t.customer_uid and s.changed_at <= $1
      order by s.changed_at desc
      limit 1), false)
      or exists (
        select from tier_standing s
        where s.bucket = t.bucket and s.customer_uid = t.customer_uid and s.changed_at > $1 and not s.skip_next_check)
    else false
  end as "isSkipLater",
  case
    when t.changed_at > $1 then exists (
      select from tier_change h
      where h.bucket = t.bucket and h.customer_uid = t.customer_uid and h.changed_at > $1)
    else false
  end as "isPlacedLater"`;

/** SQL of what counts toward tiers: orders, and money spent elsewhere, each with its time. A condition on its columns is pushed into both parts. */
export const SPENDS = `select bucket, customer_uid, credited_at, spend_minor
    from order_spend
    union all
    select bucket, customer_uid, as_of, spend_minor
    from customer_spend_base`;

const CANDIDATES = `select coalesce(s.bucket, t.bucket) as bucket,
  coalesce(s.customer_uid, t.customer_uid) as "customerUid",
  ${spendSum("s.spent")} as spent,
  ${spendSum("s.spent_before")} as "spentBefore",
  ${STANDING}
from (
  select o.bucket,
    o.customer_uid,
    sum(o.spend_minor) filter (where o.credited_at >= $5 and o.credited_at < $6) as spent,
    sum(o.spend_minor) filter (where o.credited_at >= $7 and o.credited_at < $8) as spent_before
  from (${SPENDS}) o
  where o.bucket >= $3
    and o.bucket < $4
    and o.credited_at >= least($5::timestamptz, $7::timestamptz)
    and o.credited_at < greatest($6::timestamptz, $8::timestamptz)
  group by o.bucket, o.customer_uid) s
full join (
  select *
  from customer_tier
  where bucket >= $3
    and bucket < $4) t on t.bucket = s.bucket and t.customer_uid = s.customer_uid
where t.designation_uid is distinct from $2
  and (t.tier_uid is not null or t.skip_next_check or greatest(s.spent, s.spent_before) >= $9)
order by 1, 2`;

const spentIn = (table: string, at: string, condition = "") => `select s.customer_uid as "customerUid",
  ${spendSum(`sum(s.spend_minor) filter (where s.${at} >= $3 and s.${at} < $4)`)} as spent,
  ${spendSum(`sum(s.spend_minor) filter (where s.${at} >= $5 and s.${at} < $6)`)} as "spentBefore"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join ${table} s on s.bucket = k.bucket and s.customer_uid = k.customer_uid
where s.${at} >= least($3::timestamptz, $5::timestamptz)
  and s.${at} < greatest($4::timestamptz, $6::timestamptz)${condition}
group by s.bucket, s.customer_uid`;
const SPENT_IN_ORDERS = spentIn("order_spend", "credited_at");
const SPENT_ELSEWHERE = spentIn("customer_spend_base", "as_of", "\n  and s.import_uid <> all($7::uuid[])");

const ASSIGNMENTS = `select k.bucket,
  k.customer_uid as "customerUid",
  ${STANDING}
from unnest($3::smallint[], $4::uuid[]) as k (bucket, customer_uid)
left join customer_tier t on t.bucket = k.bucket and t.customer_uid = k.customer_uid
where t.designation_uid is distinct from $2`;

const MAY_MOVE = `select exists (select from order_spend)
  or exists (select from customer_spend_base)
  or exists (select from customer_tier t where t.tier_uid is not null or t.skip_next_check)
  or exists (select from designation d where d.finished_at is null) as "mayMove"`;

/** Whether there is a customer whom a check could move, or a run that is not finished. */
export async function selectMayMove(queryable: Queryable): Promise<boolean> {
  return (await queryable.query<{ mayMove: boolean }>(MAY_MOVE))[0]?.mayMove === true;
}

/** Inserts a run to be done; returns false if the check already exists. */
export async function insertEvaluation(queryable: Queryable, run: Omit<EvaluationRow, "nextBucket">): Promise<boolean> {
  const { uid, kind, at, programVersion, beforeVersion, scope, actor } = run;
  const written = await queryable.execute(INSERT, [uid, kind, at, programVersion, beforeVersion, scope, actor]);
  return written === 1;
}

/** Returns the run to be done first; undefined: all are done. */
export async function selectOldestOpen(queryable: Queryable): Promise<EvaluationRow | undefined> {
  return (await queryable.query<EvaluationRow>(OLDEST_OPEN))[0];
}

/** Whether orders processed before an instant still have to be re-evaluated because the data for their spend changed. */
export async function hasOrdersToReview(
  queryable: Queryable,
  { before, now }: { readonly before: Temporal.Instant; readonly now: Temporal.Instant },
): Promise<boolean> {
  return (await queryable.query<{ isFound: boolean }>(HAS_ORDERS_TO_REVIEW, [before, now]))[0]?.isFound === true;
}

/** Returns the runs that were not done by a time, done since or not, in the order in which they are made. */
export function selectRunsSince(queryable: Queryable, since: Temporal.Instant): Promise<EvaluationRow[]> {
  return queryable.query<EvaluationRow>(SINCE, [since]);
}

/** Returns the last check, done or not; undefined: there was none. */
export async function selectLastCheck(
  queryable: Queryable,
): Promise<Pick<EvaluationRow, "at" | "programVersion"> | undefined> {
  return (await queryable.query<Pick<EvaluationRow, "at" | "programVersion">>(LAST_CHECK))[0];
}

/** Marks buckets as done, up to but not including `to`; returns false if another node did. */
export async function advanceEvaluation(
  queryable: Queryable,
  { uid, from, to, now }: { uid: string; from: number; to: number; now: Temporal.Instant },
): Promise<boolean> {
  return (await queryable.execute(ADVANCE, [uid, from, to, to === BUCKETS ? now : null])) === 1;
}

export async function countMoved(tx: Tx, uid: string, moved: number): Promise<void> {
  await tx.execute(COUNT_MOVED, [uid, moved]);
}

/** Returns the progress of a run, on whichever node. */
export async function selectNextBucket(queryable: Queryable, uid: string): Promise<number> {
  return (await queryable.query<{ nextBucket: number }>(NEXT_BUCKET, [uid]))[0]?.nextBucket ?? BUCKETS;
}

/** Whether a run is still at a bucket; it stays there until the transaction ends. */
export async function holdStep(tx: Tx, uid: string, bucket: number): Promise<boolean> {
  return (await tx.query(HOLD_STEP, [uid, bucket])).length === 1;
}

/** Returns all customers in a range of buckets whom a run may move and has not moved yet; only these are read one by one. */
export function selectCandidates(
  queryable: Queryable,
  run: Pick<EvaluationRow, "uid" | "at">,
  slice: {
    readonly from: number;
    readonly to: number;
    readonly window: SpendWindow;
    readonly windowBefore: SpendWindow;
    /** In minor units: customers who spent less and have the default tier cannot be moved. */
    readonly leastSpend: bigint;
  },
): Promise<Candidate[]> {
  const { from, to, window, windowBefore, leastSpend } = slice;
  const windows = [window.start, window.end, windowBefore.start, windowBefore.end];
  return queryable.query<Candidate>(CANDIDATES, [run.at, run.uid, from, to, ...windows, leastSpend]);
}

/** What a customer spent in the windows of a run. */
export type Spent = Pick<Candidate, "spent" | "spentBefore">;

/**
 * Returns what customers spent in the windows of a run, by uid; customers who spent nothing are absent. Their balances must be locked.
 * @param without imports whose money does not count
 */
export async function selectSpentOf(
  tx: Tx,
  customers: readonly CustomerRef[],
  { window, windowBefore }: { readonly window: SpendWindow; readonly windowBefore: SpendWindow },
  without: readonly string[] = [],
): Promise<ReadonlyMap<string, Spent>> {
  const params = [...refKeys(customers), window.start, window.end, windowBefore.start, windowBefore.end];
  type Row = Spent & { readonly customerUid: string };
  const found = await Promise.all([
    tx.query<Row>(SPENT_IN_ORDERS, params),
    tx.query<Row>(SPENT_ELSEWHERE, [...params, without]),
  ]);
  const sums = new Map<string, Spent>();
  for (const { customerUid, spent, spentBefore } of found.flat()) {
    const sum = sums.get(customerUid) ?? { spent: 0n, spentBefore: 0n };
    sums.set(customerUid, { spent: added(sum.spent, spent), spentBefore: added(sum.spentBefore, spentBefore) });
  }
  return sums;
}

/** Adds two sums of spends, at most the largest value of a bigint column, as `spendSum` does. */
function added(a: bigint, b: bigint): bigint {
  return a + b < SPEND_MAX ? a + b : SPEND_MAX;
}

/** Returns the standings of customers whom a run has not moved yet; their balances must be locked. */
export function selectAssignments(
  tx: Tx,
  run: Pick<EvaluationRow, "uid" | "at">,
  customers: readonly CustomerRef[],
): Promise<Omit<Candidate, "spent" | "spentBefore">[]> {
  const keys = refKeys(customers);
  return tx.query(ASSIGNMENTS, [run.at, run.uid, ...keys]);
}
