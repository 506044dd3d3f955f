import type { Queryable, Tx } from "../../db/pool.ts";

/** The progress of re-evaluating the earlier orders of a version's time. */
export interface ProgramReview {
  readonly version: number;
  /** The start of the version; null: it applies to all time. */
  readonly validFrom: Temporal.Instant | null;
  /** Orders up to this processed time and id are done; null: none are. */
  readonly afterAt: Temporal.Instant | null;
  readonly afterId: string;
  readonly ordersTotal: bigint;
  readonly ordersDone: bigint;
  readonly ordersChanged: bigint;
  readonly ordersFailed: bigint;
  /** Signed. */
  readonly pointsChanged: bigint;
}

/** An order with the version by which it was evaluated. */
export interface EvaluatedOrder {
  readonly orderId: string;
  readonly processedAt: Temporal.Instant;
  readonly programVersion: number | null;
}

const COLUMNS = `r.version,
  v.valid_from as "validFrom",
  r.after_at as "afterAt",
  r.after_id as "afterId",
  r.orders_total as "ordersTotal",
  r.orders_done as "ordersDone",
  r.orders_changed as "ordersChanged",
  r.orders_failed as "ordersFailed",
  r.points_changed as "pointsChanged"`;

// The stand-in precedes every order.
const BEGIN = `insert into program_review (version, started_at, orders_total)
select v.version,
  $1,
  (select count(*) from store_order o where o.processed_at >= coalesce(v.valid_from, '-infinity'))
from program_version v
where v.version > 1
  and not exists (select from program_review r where r.version = v.version)
on conflict (version) do nothing`;

const OPEN = `select ${COLUMNS}
from program_review r
join program_version v on v.version = r.version
where r.finished_at is null
order by r.version
limit 1`;

const ONE = `select ${COLUMNS}
from program_review r
join program_version v on v.version = r.version
where r.version = $1`;

const HAS_OPEN = `select exists (select from program_review where finished_at is null)
  or exists (
    select
    from program_version v
    where v.version > 1
      and not exists (select from program_review r where r.version = v.version)) as "hasOpen"`;

const PAGE = `select o.order_id as "orderId",
  o.processed_at as "processedAt",
  (o.rules ->> 'programVersion')::integer as "programVersion"
from store_order o
where (o.processed_at, o.order_id) > (coalesce($1::timestamptz, '-infinity'), $2)
  and o.processed_at >= coalesce($3::timestamptz, '-infinity')
order by o.processed_at, o.order_id
limit $4`;

const COUNT_CHANGE = `update program_review
set orders_changed = orders_changed + 1,
  points_changed = points_changed + $2
where version = $1`;

const ADVANCE = `update program_review
set after_at = $2,
  after_id = $3,
  orders_done = orders_done + $4,
  orders_failed = orders_failed + $5
where version = $1
  and (after_at, after_id) is not distinct from ($6::timestamptz, $7::text)`;

const FINISH = `update program_review
set finished_at = $2
where version = $1
  and finished_at is null`;

/** Opens a review for each version that has none yet. */
export async function beginReviews(queryable: Queryable, now: Temporal.Instant): Promise<void> {
  await queryable.execute(BEGIN, [now]);
}

/** Returns the oldest version whose review is not finished; undefined: all are. */
export async function selectOpenReview(queryable: Queryable): Promise<ProgramReview | undefined> {
  return (await queryable.query<ProgramReview>(OPEN))[0];
}

/** Returns the review of a version; undefined: it has not begun. */
export async function selectReview(queryable: Queryable, version: number): Promise<ProgramReview | undefined> {
  return (await queryable.query<ProgramReview>(ONE, [version]))[0];
}

export async function hasOpenReview(queryable: Queryable): Promise<boolean> {
  return (await queryable.query<{ hasOpen: boolean }>(HAS_OPEN))[0]?.hasOpen === true;
}

/** Returns the next orders of a review, by processed time. */
export function selectReviewPage(
  queryable: Queryable,
  { afterAt, afterId, validFrom }: Pick<ProgramReview, "afterAt" | "afterId" | "validFrom">,
  limit: number,
): Promise<EvaluatedOrder[]> {
  return queryable.query<EvaluatedOrder>(PAGE, [afterAt, afterId, validFrom, limit]);
}

/** Counts an order whose points changed, in the same transaction. */
export async function countChange(tx: Tx, version: number, points: bigint): Promise<void> {
  await tx.execute(COUNT_CHANGE, [version, points]);
}

/** Marks orders up to and including `last` as done, unless another node did. */
export async function advanceProgramReview(
  queryable: Queryable,
  { version, afterAt, afterId }: ProgramReview,
  last: EvaluatedOrder,
  { done, failed }: { readonly done: number; readonly failed: number },
): Promise<void> {
  await queryable.execute(ADVANCE, [version, last.processedAt, last.orderId, done, failed, afterAt, afterId]);
}

/** Returns whether it was unfinished before. */
export async function finishReview(queryable: Queryable, version: number, now: Temporal.Instant): Promise<boolean> {
  return (await queryable.execute(FINISH, [version, now])) === 1;
}
