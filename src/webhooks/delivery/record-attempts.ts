import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { Topic } from "../topics/index.ts";
import { type AttemptOutcome, type BatchedDelivery, type DueDelivery, isAcknowledged, isBatched } from "./delivery.ts";
import type { MovedCursor } from "./receiver-cursor.ts";
import { type ReceiverHealth, type Retry, retryAfter } from "./retry-schedule.ts";

const INSERT_ATTEMPTS = `
insert into attempt (bucket, delivery_uid, uid, kind, started_at, duration_ms, status, failure, answer_head, subscription_uid)
select *, $10::uuid
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::integer[], $7::smallint[],
  $8::text[], $9::text[])`;

// One row for each transaction that wrote the events; they are found again by its time.
const INSERT_ACKNOWLEDGED = `
insert into acknowledgement (topic, subscription_uid, event_at, buckets, uids, started_at, duration_ms, answer_heads)
select $1, $2, done.event_at, array_agg(done.bucket order by done.uid), array_agg(done.uid order by done.uid),
  array_agg(done.started_at order by done.uid), array_agg(done.duration_ms order by done.uid),
  array_agg(done.answer_head order by done.uid)
from unnest($3::timestamptz[], $4::smallint[], $5::uuid[], $6::timestamptz[], $7::integer[], $8::text[])
  as done (event_at, bucket, uid, started_at, duration_ms, answer_head)
group by done.event_at`;

const DELETE_ACKNOWLEDGED = `
delete from delivery d
using unnest($2::smallint[], $3::uuid[]) as done (bucket, uid)
where d.bucket = done.bucket
  and d.uid = done.uid
  and d.subscription_uid = $1`;

// If another worker has taken over the receiver and written an attempt meanwhile, its result stays.
const UPDATE_FAILED = `
update delivery d
set state = failed.state, attempts = failed.attempts, due_at = failed.due_at, revival = failed.revival
from unnest($2::smallint[], $3::uuid[], $4::smallint[], $5::text[], $6::smallint[], $7::timestamptz[], $8::integer[])
  as failed (bucket, uid, attempts_before, state, attempts, due_at, revival)
where d.bucket = failed.bucket
  and d.uid = failed.uid
  and d.subscription_uid = $1
  and d.state = 'waiting'
  and d.attempts = failed.attempts_before`;

const INSERT_DELIVERIES = `
insert into delivery (subscription_uid, bucket, uid, customer_uid, version, attempts, due_at, revival)
select $1::uuid, own.*
from unnest($2::smallint[], $3::uuid[], $4::uuid[], $5::bigint[], $6::smallint[], $7::timestamptz[], $8::integer[])
  as own (bucket, uid, customer_uid, version, attempts, due_at, revival)
on conflict do nothing`;

// Only the worker that took the cursor last may move it, and only while the batches are at the positions at which they were read.
const MOVE_CURSOR = `
update receiver_cursor
set position = $3, settled = $4::bigint[]
where subscription_uid = $1
  and lease_uid = $2
  and not exists (
    select
    from unnest($5::bigint[], $6::uuid[]) as own (position, uid)
    left join topic_batch b on b.uid = own.uid and b.position = own.position
    where b.uid is null)`;

const UPDATE_HEALTH = `
update subscription
set failures = $3, revivals = $4
where uid = $1
  and lease_uid = $2
  and (failures, revivals) is distinct from ($3, $4)`;

/** The receiver of the attempts, and the lease of the worker that made them. */
export interface Recording {
  readonly subscriptionUid: string;
  readonly leaseUid: string;
  readonly topic: Topic;
  /** The health after all these outcomes; null: unchanged. */
  readonly health: ReceiverHealth | null;
  /** Deliveries from batches that get their own rows without an attempt: they are sent when the customer's earlier ones are finished. */
  readonly putOff: readonly BatchedDelivery[];
  /** The receiver's cursor after all this; null: unchanged. */
  readonly cursor: MovedCursor | null;
}

/** Another worker moves the receiver's cursor now, or the subscription was deleted: the outcomes of these attempts are not recorded. */
export class CursorLost extends Error {
  override readonly name = "CursorLost";
}

/**
 * Records the outcomes of attempts in one transaction: the log, the removal of acknowledged deliveries, the next time or the end of failed ones, and
 * the receiver's health while this worker holds the lease (program.md 7). Returns the earliest time of a resend, or null. Throws `CursorLost`.
 */
export async function recordAttempts(
  deps: Deps,
  recording: Recording,
  outcomes: readonly AttemptOutcome[],
): Promise<Temporal.Instant | null> {
  const endedAt = deps.clock.now();
  const failed = outcomes
    .filter((outcome) => !isAcknowledged(outcome))
    .map((outcome) => ({
      ...outcome,
      retry: retryAfter(outcome.delivery.kind, outcome.delivery, endedAt, deps.random.fraction()),
    }));
  const { subscriptionUid, leaseUid, health } = recording;
  await deps.db.tx(async (tx) => {
    await Promise.all([
      // Locks the subscription before its cursor, in the same order as its deletion does.
      health !== null && tx.execute(UPDATE_HEALTH, [subscriptionUid, leaseUid, health.failures, health.revivals]),
      moveCursor(tx, recording),
      insertAttempts(tx, deps, recording, outcomes),
      insertAcknowledged(tx, recording, outcomes),
      deleteAcknowledged(tx, recording, outcomes),
      updateFailed(tx, recording, failed),
      insertDeliveries(tx, recording, failed, endedAt),
    ]);
  });
  const dueTimes = failed.filter(({ retry }) => retry.state === "waiting").map(({ retry }) => retry.dueAt);
  return dueTimes.reduce<Temporal.Instant | null>(
    (soonest, dueAt) => (soonest === null || Temporal.Instant.compare(dueAt, soonest) < 0 ? dueAt : soonest),
    null,
  );
}

type FailedOutcome = AttemptOutcome & { readonly retry: Retry };

/** Inserts all attempts except acknowledged first attempts of a batch. */
async function insertAttempts(
  tx: Tx,
  deps: Deps,
  { subscriptionUid }: Recording,
  all: readonly AttemptOutcome[],
): Promise<void> {
  const outcomes = all.filter((outcome) => !isAcknowledged(outcome) || !isBatched(outcome.delivery));
  if (outcomes.length === 0) return;
  await tx.execute(INSERT_ATTEMPTS, [
    outcomes.map(({ delivery }) => delivery.bucket),
    outcomes.map(({ delivery }) => delivery.uid),
    outcomes.map(() => deps.random.uid()),
    outcomes.map(({ delivery }) => delivery.kind),
    outcomes.map((outcome) => outcome.startedAt),
    outcomes.map((outcome) => outcome.durationMs),
    outcomes.map((outcome) => outcome.status),
    outcomes.map((outcome) => outcome.failure),
    outcomes.map((outcome) => outcome.answerHead),
    subscriptionUid,
  ]);
}

async function insertAcknowledged(
  tx: Tx,
  { topic, subscriptionUid }: Recording,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  const done = outcomes.filter((outcome) => isAcknowledged(outcome) && isBatched(outcome.delivery));
  if (done.length === 0) return;
  await tx.execute(INSERT_ACKNOWLEDGED, [
    topic,
    subscriptionUid,
    done.map(({ delivery }) => delivery.eventAt),
    done.map(({ delivery }) => delivery.bucket),
    done.map(({ delivery }) => delivery.uid),
    done.map((outcome) => outcome.startedAt),
    done.map((outcome) => outcome.durationMs),
    done.map((outcome) => outcome.answerHead),
  ]);
}

async function deleteAcknowledged(
  tx: Tx,
  { subscriptionUid }: Recording,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  const done = outcomes.filter((outcome) => isAcknowledged(outcome) && !isBatched(outcome.delivery));
  if (done.length === 0) return;
  const deliveries = done.map(({ delivery }) => delivery);
  await tx.execute(DELETE_ACKNOWLEDGED, [
    subscriptionUid,
    deliveries.map((d) => d.bucket),
    deliveries.map((d) => d.uid),
  ]);
}

async function updateFailed(tx: Tx, { subscriptionUid }: Recording, outcomes: readonly FailedOutcome[]): Promise<void> {
  const failed = outcomes.filter(({ delivery }) => !isBatched(delivery));
  if (failed.length === 0) return;
  await tx.execute(UPDATE_FAILED, [
    subscriptionUid,
    failed.map(({ delivery }) => delivery.bucket),
    failed.map(({ delivery }) => delivery.uid),
    failed.map(({ delivery }) => delivery.attempts),
    failed.map(({ retry }) => retry.state),
    failed.map(({ retry }) => retry.attempts),
    failed.map(({ retry }) => retry.dueAt),
    failed.map(({ revivals }) => revivals),
  ]);
}

/** Inserts a row for each delivery of a batch that failed or is put off. */
async function insertDeliveries(
  tx: Tx,
  { subscriptionUid, putOff }: Recording,
  outcomes: readonly FailedOutcome[],
  now: Temporal.Instant,
): Promise<void> {
  const failed = outcomes.flatMap(({ delivery, retry: { attempts, dueAt }, revivals }) =>
    isBatched(delivery) ? [{ delivery, attempts, dueAt, revivals }] : [],
  );
  // A first attempt is never due later than now: the event's clock may have been ahead and corrected since.
  const dueAtOf = ({ dueAt }: DueDelivery) => (Temporal.Instant.compare(dueAt, now) > 0 ? now : dueAt);
  const untried = putOff.map((delivery) => ({ delivery, attempts: 0, dueAt: dueAtOf(delivery), revivals: 0 }));
  const own = [...failed, ...untried];
  if (own.length === 0) return;
  await tx.execute(INSERT_DELIVERIES, [
    subscriptionUid,
    own.map(({ delivery }) => delivery.bucket),
    own.map(({ delivery }) => delivery.uid),
    own.map(({ delivery }) => delivery.customerUid),
    own.map(({ delivery }) => delivery.version),
    own.map(({ attempts }) => attempts),
    own.map(({ dueAt }) => dueAt),
    own.map(({ revivals }) => revivals),
  ]);
}

/** Moves the cursor before anything is written about deliveries: of two workers only the one that took the cursor last continues. */
async function moveCursor(tx: Tx, { subscriptionUid, leaseUid, cursor }: Recording): Promise<void> {
  if (cursor === null) return;
  const { position, settled, positions, uids } = cursor;
  const moved = await tx.execute(MOVE_CURSOR, [subscriptionUid, leaseUid, position, settled, positions, uids]);
  if (moved === 0) throw new CursorLost(`the cursor of ${subscriptionUid} is not ours`);
}
