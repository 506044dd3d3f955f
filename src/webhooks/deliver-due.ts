import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { createWakeSignal } from "../db/wake-signal.ts";
import type { Deps } from "../deps.ts";
import {
  addDelivery,
  emptyQueues,
  forgetDeliveries,
  isBusy,
  longQueues,
  returnDelivery,
  takeDelivery,
} from "./customer-queues.ts";
import { ATTEMPTS_A_TURN, noteHealth, readsApartMs, takeTurn } from "./dead-receivers.ts";
import { type AttemptOutcome, type BatchedDelivery, isAcknowledged, isBatched } from "./delivery.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { readBatches } from "./read-batches.ts";
import { readDue } from "./read-due.ts";
import { readEarly } from "./read-early.ts";
import { readReceiver } from "./read-receiver.ts";
import {
  countPutOff,
  type DeliverOptions,
  isOpen,
  READY_ENOUGH,
  type ReceiverLease,
  type ReceiverWorker,
  restartEarly,
} from "./receiver-worker.ts";
import { healthAfter, isDead } from "./retry-schedule.ts";
import { sendDelivery } from "./send-delivery.ts";
import { writeOutcomes } from "./write-outcomes.ts";

/** Requests to one receiver at a time, its deliveries in memory, and those of one read. */
const LIMITS = { inFlight: 32, known: 2_000, read: 500 };
const LIMITS_DEAD = { inFlight: ATTEMPTS_A_TURN, known: 200, read: 100 };
/** A customer with so many deliveries in memory is passed over by the next read. */
const BUSY_CUSTOMER = 50;
const POLL_MS = 500;
/** Undici's own: `sendDelivery` ends an attempt after 5 seconds, whatever it waits for. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };
/** Early tries to a receiver that came back: at most 50 a second. */
const EARLY_ROWS = 5;
const EARLY_APART_MS = 100;

/**
 * Delivers one receiver's events as they fall due, until the signal, the loss of the lease, or the end of the subscription
 * (program.md 7): reads what is due, sends outside every transaction with up to 32 requests at a time and one a customer, writes
 * outcomes down in batches. A delivery stays in the database until its outcome is there: after a crash it is sent again.
 */
export async function deliverDue(deps: Deps, lease: ReceiverLease, options: DeliverOptions): Promise<void> {
  const worker = openWorker(deps, lease, options);
  const unsubscribe = options.onWake?.(worker.wakeSignal.notify);
  options.signal.addEventListener("abort", worker.wakeSignal.notify);
  const giveUp = () => void worker.dispatcher.destroy();
  lease.givenUp.addEventListener("abort", giveUp);
  try {
    while (isOpen(worker)) {
      if (!(await fillInTurn(worker))) break;
      pump(worker);
      const isHungry =
        !isDead(worker.health) && worker.hasMore && worker.queues.ready.size < READY_ENOUGH && hasRoom(worker);
      if (!isHungry) await rest(worker);
    }
  } finally {
    options.signal.removeEventListener("abort", worker.wakeSignal.notify);
    unsubscribe?.();
    worker.isClosing = true;
    await Promise.all(worker.sends);
    await worker.recording;
    noteHealth(lease.deadReceivers, worker, false);
    lease.givenUp.removeEventListener("abort", giveUp);
    await worker.dispatcher.destroy();
  }
}

function openWorker(deps: Deps, lease: ReceiverLease, options: DeliverOptions): ReceiverWorker {
  const connect = { lookup: guardedLookup(deps, options.resolver), timeout: 5_000 };
  return {
    deps,
    lease,
    options,
    dispatcher: new Agent({ connections: LIMITS.inFlight, pipelining: 1, allowH2: false, connect, ...NO_TIMEOUTS }),
    wakeSignal: createWakeSignal(),
    queues: emptyQueues(),
    batches: new Map(),
    sends: new Set(),
    turnLeft: 0,
    outcomes: [],
    putOff: [],
    puttingOff: new Map(),
    written: [],
    endedBatchUids: [],
    recording: null,
    nextRecord: Promise.withResolvers(),
    isClosing: false,
    facts: null,
    health: { failures: 0, revivals: 0 },
    writtenHealth: { failures: 0, revivals: 0 },
    hasMore: false,
    readAtMs: 0,
    early: { ...restartEarly(0), isOver: true, readAtMs: 0 },
  };
}

function hasRoom(worker: ReceiverWorker): boolean {
  const { known, read } = limitsOf(worker);
  return worker.queues.known.size - worker.written.length + read <= known;
}

/** A dead receiver gets less. */
function limitsOf(worker: ReceiverWorker): typeof LIMITS {
  return isDead(worker.health) ? LIMITS_DEAD : LIMITS;
}

/** Waits for work; reads stay a little apart, so that each takes many rows. */
async function rest(worker: ReceiverWorker): Promise<void> {
  await worker.wakeSignal.wait(worker.early.isOver ? POLL_MS : EARLY_APART_MS);
  worker.wakeSignal.reset();
  const waitMs = readsApartMs(worker.lease.deadReceivers, worker) - (performance.now() - worker.readAtMs);
  if (waitMs > 0) await delay(waitMs, undefined, { signal: worker.options.signal }).catch(() => {});
}

function fillInTurn(worker: ReceiverWorker): Promise<boolean> {
  if (!isDead(worker.health)) return fill(worker);
  return worker.lease.limitReads(async () => isOpen(worker) && (await fill(worker)));
}

/** Reads what may be sent into memory. False: the subscription is no more, or no longer ours. */
async function fill(worker: ReceiverWorker): Promise<boolean> {
  worker.readAtMs = performance.now();
  try {
    if (worker.facts === null && !(await readFacts(worker))) return false;
    const dropped = forgetDeliveries(worker.queues, worker.written.splice(0));
    for (const uid of worker.endedBatchUids.splice(0)) worker.batches.delete(uid);
    for (const delivery of dropped) if (isBatched(delivery)) putOff(worker, delivery);
    if (worker.putOff.length > 0) await writeMost(worker);
    if (worker.queues.ready.size >= READY_ENOUGH || !hasRoom(worker)) worker.hasMore = true;
    else {
      worker.hasMore = false;
      await fillDue(worker);
      while ((await fillBatches(worker)) && needsBatches(worker));
      await fillEarly(worker);
    }
    return await readFacts(worker); // after the rows: a key confirmed before an event signs it
  } catch (error) {
    worker.hasMore = false;
    worker.deps.log.warn({ error }, "due deliveries could not be read");
    return true;
  }
}

async function readFacts(worker: ReceiverWorker): Promise<boolean> {
  const facts = await readReceiver(worker.deps, worker.lease.subscriptionUid, worker.lease.leaseUid);
  if (facts === null) return false;
  if (worker.facts === null) {
    worker.health = facts.health;
    worker.writtenHealth = facts.health;
    noteHealth(worker.lease.deadReceivers, worker, isDead(facts.health));
  }
  worker.facts = facts;
  return true;
}

/** Gives a delivery a row of its own, by which it is read again when it may be sent. */
function putOff(worker: ReceiverWorker, delivery: BatchedDelivery): void {
  worker.putOff.push(delivery);
  countPutOff(worker.puttingOff, delivery.customerUid, 1);
}

/** Waits while more than a few reads' deliveries are to be written down as put off. */
async function writeMost(worker: ReceiverWorker): Promise<void> {
  writeOutcomes(worker.deps, worker);
  while (worker.putOff.length > LIMITS.known && isOpen(worker)) await worker.nextRecord.promise;
}

/** Uids of what is in memory and has a row of its own. */
function knownUids(worker: ReceiverWorker): string[] {
  const uids: string[] = [];
  for (const [uid, delivery] of worker.queues.known) if (!isBatched(delivery)) uids.push(uid);
  return uids;
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

/** Whether to read on at once: what was read last was put off, and nothing of it can be sent yet. */
function needsBatches(worker: ReceiverWorker): boolean {
  return worker.queues.ready.size === 0 && worker.putOff.length < LIMITS.known && isOpen(worker);
}

/** Returns whether there may be more. */
async function fillBatches(worker: ReceiverWorker): Promise<boolean> {
  if (!hasRoom(worker)) return false;
  const eventsMax = limitsOf(worker).read;
  const behind = new Set(worker.puttingOff.keys()); // as of the read: it does not see them yet
  const batches = await readBatches(worker.deps, {
    subscriptionUid: worker.lease.subscriptionUid,
    knownBatchUids: [...worker.batches.keys()],
    knownUids: knownUids(worker),
    isDead: isDead(worker.health),
    eventsMax,
  });
  let count = 0;
  for (const { uid, deliveries } of batches) {
    worker.batches.set(uid, deliveries.length);
    count += deliveries.length;
    for (const { delivery, isHeld } of deliveries) {
      if (isHeld || isBehind(worker, behind, delivery) || isBusy(worker.queues, delivery, BUSY_CUSTOMER))
        putOff(worker, delivery);
      else addDelivery(worker.queues, delivery);
    }
  }
  if (count >= eventsMax) worker.hasMore = true;
  writeOutcomes(worker.deps, worker);
  return count >= eventsMax;
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

/** Sends what may be sent now. */
function pump(worker: ReceiverWorker): void {
  const { facts } = worker;
  while (facts !== null && isOpen(worker) && worker.sends.size < limitsOf(worker).inFlight) {
    if (worker.queues.ready.size > 0 && !hasTurn(worker)) return;
    const delivery = takeDelivery(worker.queues);
    if (delivery === undefined) return;
    const { exportUrl } = worker.options;
    const receiver = { ...facts, dispatcher: worker.dispatcher, revivals: worker.health.revivals, exportUrl };
    const send = sendDelivery(worker.deps, receiver, delivery).then((outcome) => {
      worker.sends.delete(send);
      takeIn(worker, outcome);
    });
    worker.sends.add(send);
  }
}

/** Whether a delivery may be sent now: a dead receiver waits for its turn. */
function hasTurn(worker: ReceiverWorker): boolean {
  if (!isDead(worker.health)) return true;
  if (worker.turnLeft !== null && worker.turnLeft > 0) {
    worker.turnLeft -= 1;
    return true;
  }
  if (worker.turnLeft === 0) {
    worker.turnLeft = null;
    const begin = () => {
      worker.turnLeft = ATTEMPTS_A_TURN;
      pump(worker);
    };
    setTimeout(begin, takeTurn(worker.lease.deadReceivers, performance.now())).unref();
  }
  return false;
}

function takeIn(worker: ReceiverWorker, outcome: AttemptOutcome): void {
  const isSuccess = isAcknowledged(outcome);
  if (worker.lease.givenUp.aborted && !isSuccess) return; // broken off by us: no attempt of the receiver's
  worker.health = healthAfter(worker.health, isSuccess);
  noteHealth(worker.lease.deadReceivers, worker, isDead(worker.health));
  returnDelivery(worker.queues, outcome.delivery, isSuccess);
  worker.outcomes.push(outcome);
  writeOutcomes(worker.deps, worker);
  pump(worker);
  if (worker.hasMore && worker.queues.ready.size < READY_ENOUGH) worker.wakeSignal.notify();
}
