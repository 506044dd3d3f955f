import type { Deps } from "../deps.ts";
import { type AttemptOutcome, isAcknowledged } from "./delivery.ts";
import { type ReceiverHealth, retryAfter } from "./retry-schedule.ts";

const INSERT_ATTEMPTS = `
insert into attempt (bucket, delivery_uid, uid, kind, started_at, duration_ms, status, failure, answer_head)
select *
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::integer[], $7::smallint[],
  $8::text[], $9::text[])`;

const DELETE_ACKNOWLEDGED = `
delete from delivery d
using unnest($1::smallint[], $2::uuid[]) as done (bucket, uid)
where d.bucket = done.bucket
  and d.uid = done.uid`;

// Where another worker has written an attempt meanwhile (it took the receiver over), its word stands.
const UPDATE_FAILED = `
update delivery d
set state = failed.state, attempts = failed.attempts, due_at = failed.due_at, revival = failed.revival
from unnest($1::smallint[], $2::uuid[], $3::smallint[], $4::text[], $5::smallint[], $6::timestamptz[], $7::integer[])
  as failed (bucket, uid, attempts_before, state, attempts, due_at, revival)
where d.bucket = failed.bucket
  and d.uid = failed.uid
  and d.state = 'waiting'
  and d.attempts = failed.attempts_before`;

const UPDATE_HEALTH = `
update subscription
set failures = $3, revivals = $4
where uid = $1
  and lease_uid = $2
  and (failures, revivals) is distinct from ($3, $4)`;

/** Whose attempts they are: the receiver, under the lease of who made them. */
export interface Recording {
  readonly subscriptionUid: string;
  readonly leaseUid: string;
  /** After all these outcomes. */
  readonly health: ReceiverHealth;
}

/**
 * Writes down what came of attempts, in one transaction: the log, acknowledged deliveries gone, the failed ones' next time or
 * end, the receiver's health while the lease is ours (program.md 7). Returns the earliest time of a resend, or null.
 */
export async function recordAttempts(
  deps: Deps,
  recording: Recording,
  outcomes: readonly AttemptOutcome[],
): Promise<Temporal.Instant | null> {
  const done = outcomes.filter(isAcknowledged).map((outcome) => outcome.delivery);
  const failed = outcomes.filter((outcome) => !isAcknowledged(outcome));
  const endedAt = deps.clock.now();
  const retries = failed.map(({ delivery }) => retryAfter(delivery.kind, delivery, endedAt, deps.random.fraction()));
  const { subscriptionUid, leaseUid, health } = recording;
  await deps.db.tx(async (tx) => {
    await Promise.all([
      tx.execute(INSERT_ATTEMPTS, attemptColumns(deps, outcomes)),
      done.length > 0 && tx.execute(DELETE_ACKNOWLEDGED, [done.map((d) => d.bucket), done.map((d) => d.uid)]),
      failed.length > 0 &&
        tx.execute(UPDATE_FAILED, [
          failed.map(({ delivery }) => delivery.bucket),
          failed.map(({ delivery }) => delivery.uid),
          failed.map(({ delivery }) => delivery.attempts),
          retries.map((retry) => retry.state),
          retries.map((retry) => retry.attempts),
          retries.map((retry) => retry.dueAt),
          failed.map((outcome) => outcome.revivals),
        ]),
      tx.execute(UPDATE_HEALTH, [subscriptionUid, leaseUid, health.failures, health.revivals]),
    ]);
  });
  const dueTimes = retries.filter((retry) => retry.state === "waiting").map((retry) => retry.dueAt);
  return dueTimes.reduce<Temporal.Instant | null>(
    (soonest, dueAt) => (soonest === null || Temporal.Instant.compare(dueAt, soonest) < 0 ? dueAt : soonest),
    null,
  );
}

function attemptColumns(deps: Deps, outcomes: readonly AttemptOutcome[]) {
  return [
    outcomes.map(({ delivery }) => delivery.bucket),
    outcomes.map(({ delivery }) => delivery.uid),
    outcomes.map(() => deps.random.uid()),
    outcomes.map(({ delivery }) => delivery.kind),
    outcomes.map((outcome) => outcome.startedAt),
    outcomes.map((outcome) => outcome.durationMs),
    outcomes.map((outcome) => outcome.status),
    outcomes.map((outcome) => outcome.failure),
    outcomes.map((outcome) => outcome.answerHead),
  ];
}
