import type { Deps } from "../../deps.ts";
import { bitOf } from "../event-batch.ts";
import { bringForward } from "./bring-forward.ts";
import { addDelivery, dropDeliveries, isBusy, longQueues } from "./customer-queues.ts";
import { recordHealth } from "./dead-receivers.ts";
import { type BatchedDelivery, isBatched } from "./delivery.ts";
import { readBatches } from "./read-batches.ts";
import { readDue } from "./read-due.ts";
import { readEarly } from "./read-early.ts";
import { readReceiver } from "./read-receiver.ts";
import { beginBatch, openCursor } from "./receiver-cursor.ts";
import {
  countPutOff,
  EARLY_APART_MS,
  hasEnough,
  hasRoom,
  isOpen,
  limitsOf,
  type ReceiverWorker,
  restartEarly,
} from "./receiver-worker.ts";
import { isDead } from "./retry-schedule.ts";
import { numberBatches, takeCursor, unbatchEarlierEvents } from "./stream-queries.ts";
import { writeOutcomes } from "./write-outcomes.ts";
import { type BatchCache, dropOldBatches } from "./written-batch.ts";

/** The maximum number of deliveries that are put off and not written yet: a few reads. */
const PUT_OFF_MAX = 2_000;
/** A customer with this many deliveries in memory is skipped by the next read. */
const BUSY_CUSTOMER = 50;
const UNBATCHED_APART_MS = 1_000;
const BROUGHT_FORWARD_APART_MS = 60_000;
/** Early tries to a recovered receiver: at most 50 a second. */
const EARLY_ROWS = 5;

/** Reads deliveries that may be sent into memory. False: the subscription was deleted, or another worker serves it. */
export async function fillWorker(deps: Deps, worker: ReceiverWorker): Promise<boolean> {
  worker.readAtMs = performance.now();
  try {
    if (worker.cursor === null && !(await begin(worker))) return false;
    const dropped = dropDeliveries(worker.queues, worker.written.splice(0));
    for (const delivery of dropped) if (isBatched(delivery)) putOff(worker, delivery);
    await writeMost(worker);
    if (hasEnough(worker) || !hasRoom(worker)) worker.hasMore = true;
    else {
      worker.hasMore = false;
      await prepare(worker);
      await fillDue(worker);
      while ((await fillBatches(worker)) && needsBatches(worker));
      await fillEarly(worker);
    }
    return await readFacts(worker); // after the rows: a key confirmed before an event signs it
  } catch (error) {
    worker.hasMore = false;
    deps.log.warn({ error }, "due deliveries could not be read");
    return true;
  }
}

/** False: the subscription was deleted, or another worker serves it. */
async function begin(worker: ReceiverWorker): Promise<boolean> {
  const { deps, lease } = worker;
  if (!(await readFacts(worker))) return false;
  const stored = await takeCursor(deps.db, lease.subscriptionUid, lease.leaseUid);
  if (stored !== null) worker.cursor = openCursor(stored);
  return stored !== null;
}

async function readFacts(worker: ReceiverWorker): Promise<boolean> {
  const facts = await readReceiver(worker.deps, worker.lease.subscriptionUid, worker.lease.leaseUid, worker.facts);
  if (facts === null) return false;
  if (worker.facts === null) {
    worker.health = facts.health;
    worker.writtenHealth = facts.health;
    recordHealth(worker.lease.deadReceivers, worker, isDead(facts.health));
  }
  worker.facts = facts;
  return true;
}

/** Gives a delivery its own row, from which it is read again when it may be sent. */
function putOff(worker: ReceiverWorker, delivery: BatchedDelivery): void {
  worker.putOff.push(delivery);
  countPutOff(worker.puttingOff, delivery.customerUid, 1);
}

/** Begins to write what waits for it, and waits until most put-off deliveries are written, if there are more than a few reads' worth. */
async function writeMost(worker: ReceiverWorker): Promise<void> {
  writeOutcomes(worker.deps, worker); // also what a writing left that ended because the lease was over for a moment
  while (worker.putOff.length > PUT_OFF_MAX && isOpen(worker)) {
    await Promise.race([worker.nextRecord.promise, worker.recording]);
    writeOutcomes(worker.deps, worker);
  }
}

/** Returns the uids of the deliveries in memory that have their own row. */
function knownUids(worker: ReceiverWorker): string[] {
  const uids: string[] = [];
  for (const [uid, delivery] of worker.queues.known) if (!isBatched(delivery)) uids.push(uid);
  return uids;
}

/** Gives newly committed batches their positions in the stream, so that they can be read. */
async function prepare(worker: ReceiverWorker): Promise<void> {
  const { deps, facts } = worker;
  await Promise.all([facts !== null && numberBatches(deps.db, facts.topic), unbatch(worker), forward(worker)]);
}

/** Looks from time to time for deliveries that wait for the time of a clock that was ahead. */
async function forward(worker: ReceiverWorker): Promise<void> {
  if (worker.readAtMs < worker.broughtForwardAtMs + BROUGHT_FORWARD_APART_MS) return;
  await bringForward(worker.deps, worker.lease.subscriptionUid);
  worker.broughtForwardAtMs = worker.readAtMs;
}

/** Looks from time to time for events that an earlier version left or still writes. */
async function unbatch(worker: ReceiverWorker): Promise<void> {
  if (worker.readAtMs < worker.unbatchedAtMs + UNBATCHED_APART_MS) return;
  if (!(await unbatchEarlierEvents(worker.deps.db, worker.lease.subscriptionUid)))
    worker.unbatchedAtMs = worker.readAtMs;
}

async function fillDue(worker: ReceiverWorker): Promise<void> {
  const rowsMax = limitsOf(worker).read;
  const rows = await readDue(worker.deps, {
    subscriptionUid: worker.lease.subscriptionUid,
    knownUids: knownUids(worker),
    busyCustomers: longQueues(worker.queues, BUSY_CUSTOMER),
    isDead: isDead(worker.health),
    rowsMax,
  });
  for (const row of rows) addDelivery(worker.queues, row);
  if (rows.length === rowsMax) worker.hasMore = true;
}

/** Whether to read on at once: the deliveries of the last read were put off, and none of them can be sent yet. */
function needsBatches(worker: ReceiverWorker): boolean {
  return worker.queues.ready.size === 0 && worker.putOff.length < PUT_OFF_MAX && isOpen(worker);
}

/** Returns whether there may be more. */
async function fillBatches(worker: ReceiverWorker): Promise<boolean> {
  const { deps, facts, cursor } = worker;
  if (!hasRoom(worker) || facts === null || cursor === null) return false;
  const eventsMax = limitsOf(worker).read;
  const batchCache = currentBatches(worker);
  const behind = new Set(worker.puttingOff.keys()); // as of the read: it does not see them yet
  const batches = await readBatches(deps, {
    topic: facts.topic,
    subscriptionUid: worker.lease.subscriptionUid,
    afterPosition: cursor.readTo,
    knownUids: knownUids(worker),
    isDead: isDead(worker.health),
    eventsMax,
    batchCache,
  });
  let count = 0;
  for (const batch of batches) {
    worker.batchCache.delete(batch.uid);
    const settled = beginBatch(cursor, batch);
    count += batch.count;
    for (const { delivery, isHeld } of batch.deliveries) {
      if ((settled & bitOf(delivery.place.n)) !== 0n) continue;
      if (isHeld || isBehind(worker, behind, delivery) || isBusy(worker.queues, delivery, BUSY_CUSTOMER))
        putOff(worker, delivery);
      else addDelivery(worker.queues, delivery);
    }
  }
  if (count >= eventsMax) worker.hasMore = true;
  writeOutcomes(deps, worker);
  return count >= eventsMax;
}

/** Returns the batches that need not be read, as they are now: more may be added, and the oldest dropped, during the query. */
function currentBatches({ batchCache }: ReceiverWorker): BatchCache {
  dropOldBatches(batchCache, performance.now());
  return new Map(batchCache);
}

/** Whether earlier deliveries of its customer are put off and may not have been in the database when it was read. */
function isBehind(worker: ReceiverWorker, behind: ReadonlySet<string>, { customerUid }: BatchedDelivery): boolean {
  return customerUid !== null && (behind.has(customerUid) || worker.puttingOff.has(customerUid));
}

async function fillEarly(worker: ReceiverWorker): Promise<void> {
  const { early, health } = worker;
  if (early.revivals !== health.revivals) Object.assign(early, restartEarly(health.revivals));
  if (early.isOver || isDead(health) || performance.now() - early.readAtMs < EARLY_APART_MS) return;
  early.readAtMs = performance.now();
  const rows = await readEarly(worker.deps, {
    subscriptionUid: worker.lease.subscriptionUid,
    revivals: early.revivals,
    afterUid: early.afterUid,
    knownUids: knownUids(worker),
    rowsMax: EARLY_ROWS,
  });
  for (const row of rows) addDelivery(worker.queues, row);
  early.afterUid = rows.at(-1)?.uid ?? early.afterUid;
  early.isOver = rows.length < EARLY_ROWS;
}
