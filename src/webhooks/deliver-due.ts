import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { createWakeSignal, type WakeSignal } from "../db/wake-signal.ts";
import type { Deps } from "../deps.ts";
import {
  addDelivery,
  type CustomerQueues,
  emptyQueues,
  forgetDeliveries,
  longQueues,
  returnDelivery,
  takeDelivery,
} from "./customer-queues.ts";
import { type AttemptOutcome, type DueDelivery, isAcknowledged } from "./delivery.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { readDue } from "./read-due.ts";
import { readEarly } from "./read-early.ts";
import { type ReceiverFacts, readReceiver } from "./read-receiver.ts";
import { recordAttempts } from "./record-attempts.ts";
import type { CallbackResolver } from "./resolve-callback.ts";
import { healthAfter, isDead, type ReceiverHealth } from "./retry-schedule.ts";
import { type Receiver, sendDelivery } from "./send-delivery.ts";

/** Requests to one receiver at a time. */
const IN_FLIGHT_MAX = 32;
/** Deliveries of one receiver in memory, rows of one read, and customers ready to be sent to beyond which nothing is read. */
const KNOWN_MAX = 2_000;
const READ_ROWS = 200;
const READY_ENOUGH = 2 * IN_FLIGHT_MAX;
/** A customer with so many deliveries in memory is skipped by the next read. */
const BUSY_CUSTOMER = 50;
const RECORD_MAX = 500;
const POLL_MS = 500;
const READS_APART_MS = 20;
/** Early tries to a receiver that came back: at most 50 a second. */
const EARLY_ROWS = 5;
const EARLY_APART_MS = 100;
/** Longer waits are left to the poll. */
const TIMER_MAX_MS = 60_000;
const FIRST_UID = "00000000-0000-0000-0000-000000000000";

/** The right to serve one receiver, as long as it is held. */
export interface ReceiverLease {
  readonly subscriptionUid: string;
  readonly leaseUid: string;
  isHeld(): boolean;
  /**
   * Aborted when the process has waited long enough: a request without a response by then is sent again by the worker that serves
   * the receiver next.
   */
  readonly givenUp: AbortSignal;
}

export interface DeliverOptions {
  /** The address of an export's file, signed now, for one hour (program.md 7). */
  readonly exportUrl: Receiver["exportUrl"];
  /** Ends the work: what is in flight is finished and written down. */
  readonly signal: AbortSignal;
  /** Calls the listener when there may be work; returns how to end that. Absent: polling alone finds it. */
  readonly onWake?: (listener: () => void) => () => void;
  /** How callbacks' hosts are found. Absent: the system's lookup. */
  readonly resolver?: CallbackResolver;
}

/** What a worker keeps of one receiver. */
interface ReceiverWorker {
  readonly deps: Deps;
  readonly lease: ReceiverLease;
  readonly options: DeliverOptions;
  readonly dispatcher: Agent;
  readonly wakeSignal: WakeSignal;
  readonly queues: CustomerQueues<DueDelivery>;
  readonly sends: Set<Promise<void>>;
  outcomes: AttemptOutcome[];
  /** Deliveries whose outcome is in the database, to be forgotten before the next read. */
  written: DueDelivery[];
  recording: Promise<void> | null;
  /** Nothing more is sent, even where the lease is renewed meanwhile. */
  isClosing: boolean;
  facts: ReceiverFacts | null;
  health: ReceiverHealth;
  /** Rows were left for the next read. */
  hasMore: boolean;
  readAtMs: number;
  early: { revivals: number; afterUid: string; isOver: boolean; readAtMs: number };
}

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
      if (!(await fill(worker))) break;
      pump(worker);
      const isHungry = worker.hasMore && worker.queues.ready.size < READY_ENOUGH && hasRoom(worker);
      if (!isHungry) await rest(worker);
    }
  } finally {
    options.signal.removeEventListener("abort", worker.wakeSignal.notify);
    unsubscribe?.();
    worker.isClosing = true;
    await Promise.all(worker.sends);
    await worker.recording;
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
    dispatcher: new Agent({ connections: IN_FLIGHT_MAX, pipelining: 1, allowH2: false, connect }),
    wakeSignal: createWakeSignal(),
    queues: emptyQueues(),
    sends: new Set(),
    outcomes: [],
    written: [],
    recording: null,
    isClosing: false,
    facts: null,
    health: { failures: 0, revivals: 0 },
    hasMore: false,
    readAtMs: 0,
    early: { revivals: 0, afterUid: FIRST_UID, isOver: true, readAtMs: 0 },
  };
}

function isOpen(worker: ReceiverWorker): boolean {
  return !worker.isClosing && !worker.options.signal.aborted && worker.lease.isHeld();
}

function hasRoom(worker: ReceiverWorker): boolean {
  return worker.queues.known.size - worker.written.length + READ_ROWS <= KNOWN_MAX;
}

/** Waits for work; reads stay a little apart, so that each takes many rows. */
async function rest(worker: ReceiverWorker): Promise<void> {
  await worker.wakeSignal.wait(worker.early.isOver ? POLL_MS : EARLY_APART_MS);
  worker.wakeSignal.reset();
  const sinceMs = performance.now() - worker.readAtMs;
  if (sinceMs < READS_APART_MS) await delay(READS_APART_MS - sinceMs);
}

/** Reads what may be sent into memory. False: the subscription is no more, or no longer ours. */
async function fill(worker: ReceiverWorker): Promise<boolean> {
  worker.readAtMs = performance.now();
  try {
    if (worker.facts === null && !(await readFacts(worker))) return false;
    forgetDeliveries(worker.queues, worker.written.splice(0));
    if (worker.queues.ready.size >= READY_ENOUGH || !hasRoom(worker)) worker.hasMore = true;
    else {
      await fillDue(worker);
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
  if (worker.facts === null) worker.health = facts.health;
  worker.facts = facts;
  return true;
}

async function fillDue(worker: ReceiverWorker): Promise<void> {
  const rows = await readDue(worker.deps, {
    subscriptionUid: worker.lease.subscriptionUid,
    knownUids: [...worker.queues.known.keys()],
    busyCustomers: longQueues(worker.queues, BUSY_CUSTOMER),
    isDead: isDead(worker.health),
    rowsMax: READ_ROWS,
  });
  for (const row of rows) addDelivery(worker.queues, row);
  worker.hasMore = rows.length === READ_ROWS;
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
    knownUids: [...worker.queues.known.keys()],
    rowsMax: EARLY_ROWS,
  });
  for (const row of rows) addDelivery(worker.queues, row);
  early.afterUid = rows.at(-1)?.uid ?? early.afterUid;
  early.isOver = rows.length < EARLY_ROWS;
}

const restartEarly = (revivals: number) => ({ revivals, afterUid: FIRST_UID, isOver: false });

/** Sends what may be sent now. */
function pump(worker: ReceiverWorker): void {
  const { facts } = worker;
  while (facts !== null && isOpen(worker) && worker.sends.size < IN_FLIGHT_MAX) {
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

function takeIn(worker: ReceiverWorker, outcome: AttemptOutcome): void {
  const isSuccess = isAcknowledged(outcome);
  if (worker.lease.givenUp.aborted && !isSuccess) return; // broken off by us: no attempt of the receiver's
  worker.health = healthAfter(worker.health, isSuccess);
  returnDelivery(worker.queues, outcome.delivery, isSuccess);
  worker.outcomes.push(outcome);
  worker.recording ??= record(worker);
  pump(worker);
  if (worker.hasMore && worker.queues.ready.size < READY_ENOUGH) worker.wakeSignal.notify();
}

/** Writes down what came back, all of it that came while the last batch was written. After a failed write it is tried again. */
async function record(worker: ReceiverWorker): Promise<void> {
  while (worker.outcomes.length > 0 && (await recordBatch(worker)));
  worker.recording = null; // in one step with the last look, so that no outcome comes in between
}

/** False: the write failed and is left to the worker that serves the receiver next. */
async function recordBatch(worker: ReceiverWorker): Promise<boolean> {
  const batch = worker.outcomes.splice(0, RECORD_MAX);
  try {
    wakeAt(worker, await recordAttempts(worker.deps, { ...worker.lease, health: worker.health }, batch));
    recorded(worker, batch);
  } catch (error) {
    worker.outcomes.unshift(...batch);
    worker.deps.log.warn({ error }, "attempts could not be written down");
    if (!isOpen(worker)) return false;
    await delay(POLL_MS);
  }
  return true;
}

function recorded(worker: ReceiverWorker, batch: readonly AttemptOutcome[]): void {
  for (const { delivery } of batch) worker.written.push(delivery);
  const failed = batch.filter((outcome) => !isAcknowledged(outcome));
  if (failed.length > 0) worker.hasMore = true; // what they held up may go now, or wait for them
  // One that was out while the receiver came back has its early try still before it.
  if (failed.some((outcome) => outcome.revivals < worker.health.revivals)) {
    Object.assign(worker.early, restartEarly(worker.health.revivals));
  }
  if (worker.hasMore && worker.queues.ready.size < READY_ENOUGH) worker.wakeSignal.notify();
}

function wakeAt(worker: ReceiverWorker, soonest: Temporal.Instant | null): void {
  if (soonest === null) return;
  const waitMs = Math.max(0, Math.ceil(worker.deps.clock.now().until(soonest).total("milliseconds")));
  if (waitMs < TIMER_MAX_MS) setTimeout(worker.wakeSignal.notify, waitMs).unref();
}
