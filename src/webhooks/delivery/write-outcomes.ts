import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import { type AttemptOutcome, type BatchedDelivery, isAcknowledged } from "./delivery.ts";
import { cursorAfter, settlePlaces } from "./receiver-cursor.ts";
import { countPutOff, hasEnough, isOpen, type ReceiverWorker, restartEarly } from "./receiver-worker.ts";
import { CursorLost, recordAttempts } from "./record-attempts.ts";
import { isDead } from "./retry-schedule.ts";

const RECORD_MAX = 500;
/** The minimum time between two writes. Outcomes of this time are written together: a transaction for each would cost as much as an award. */
const RECORDS_APART_MS = 25;
const RETRY_MS = 500;
/** Longer waits are left to polling. */
const TIMER_MAX_MS = 60_000;

/** Writes outcomes and put-off deliveries, all that arrived while the last batch was written; one run at a time. */
export function writeOutcomes(deps: Deps, worker: ReceiverWorker): void {
  if (worker.hasCursor && worker.outcomes.length + worker.putOff.length > 0) worker.recording ??= record(deps, worker);
}

/** Writes the first outcome after a pause at once, and the following ones together. Retries after a failed write. */
async function record(deps: Deps, worker: ReceiverWorker): Promise<void> {
  do await gather(worker);
  while ((await recordBatch(deps, worker)) && worker.outcomes.length + worker.putOff.length > 0);
  worker.recording = null; // in one step with the last look, so that no outcome comes in between
}

/** Waits if the last write was a short time ago, unless there are enough outcomes for a full one. */
async function gather(worker: ReceiverWorker): Promise<void> {
  const waitMs = worker.recordedAtMs + RECORDS_APART_MS - performance.now();
  if (waitMs > 0 && worker.outcomes.length + worker.putOff.length < RECORD_MAX) await delay(waitMs);
  worker.recordedAtMs = performance.now();
}

/** False: the write failed, and the receiver's next worker is responsible for the outcomes. */
async function recordBatch(deps: Deps, worker: ReceiverWorker): Promise<boolean> {
  const outcomes = worker.outcomes.splice(0, RECORD_MAX);
  const putOff = worker.putOff.splice(0, RECORD_MAX);
  try {
    await write(deps, worker, outcomes, putOff);
    recorded(worker, outcomes);
  } catch (error) {
    if (error instanceof CursorLost) {
      worker.isClosing = true;
      worker.hasCursor = false;
      deps.log.debug(
        { subscriptionUid: worker.lease.subscriptionUid },
        "a receiver is gone, or served by another worker",
      );
      return false;
    }
    worker.outcomes.unshift(...outcomes);
    worker.putOff.unshift(...putOff);
    deps.log.warn({ error }, "attempts could not be recorded");
    if (!isOpen(worker)) return false;
    await delay(RETRY_MS);
  } finally {
    worker.nextRecord.resolve();
    worker.nextRecord = Promise.withResolvers();
  }
  return true;
}

async function write(
  deps: Deps,
  worker: ReceiverWorker,
  outcomes: readonly AttemptOutcome[],
  putOff: readonly BatchedDelivery[],
): Promise<void> {
  const { health, writtenHealth, facts, lease, cursor } = worker;
  if (facts === null || cursor === null) throw new Error("nothing is known of the receiver");
  const places = [...outcomes.map(({ delivery }) => delivery.place), ...putOff.map(({ place }) => place)].filter(
    (place) => place !== null,
  );
  const isSameHealth = health.failures === writtenHealth.failures && health.revivals === writtenHealth.revivals;
  const recording = {
    ...lease,
    topic: facts.topic,
    health: isSameHealth ? null : health,
    putOff,
    cursor: places.length === 0 ? null : cursorAfter(cursor, places),
  };
  const work = () => recordAttempts(deps, recording, outcomes);
  wakeAt(deps, worker, await (isDead(health) ? lease.limitWrites(work) : work()));
  worker.writtenHealth = health;
  settlePlaces(cursor, places);
  for (const { customerUid } of putOff) countPutOff(worker.puttingOff, customerUid, -1);
  if (putOff.length > 0) worker.hasMore = true;
}

function recorded(worker: ReceiverWorker, batch: readonly AttemptOutcome[]): void {
  for (const { delivery } of batch) worker.written.push(delivery);
  const failed = batch.filter((outcome) => !isAcknowledged(outcome));
  if (failed.length > 0) worker.hasMore = true; // what they held up may go now, or wait for them
  // A delivery that was in flight when the receiver recovered still has its early try.
  if (failed.some((outcome) => outcome.revivals < worker.health.revivals)) {
    Object.assign(worker.early, restartEarly(worker.health.revivals));
  }
  if (worker.hasMore && !hasEnough(worker)) worker.wakeSignal.notify();
}

function wakeAt(deps: Deps, worker: ReceiverWorker, soonest: Temporal.Instant | null): void {
  if (soonest === null) return;
  const waitMs = Math.max(0, Math.ceil(deps.clock.now().until(soonest).total("milliseconds")));
  if (waitMs < TIMER_MAX_MS) setTimeout(worker.wakeSignal.notify, waitMs).unref();
}
