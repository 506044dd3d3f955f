import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
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
import { type DueDelivery, isAcknowledged, type Outcome } from "./delivery.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { readDue } from "./read-due.ts";
import { readEarly } from "./read-early.ts";
import { type ReceiverFacts, readReceiver } from "./read-receiver.ts";
import { recordAttempts } from "./record-attempts.ts";
import type { CallbackResolver } from "./resolve-callback.ts";
import { type Health, healthAfter, isDead } from "./retry-schedule.ts";
import { type Receiver, sendDelivery } from "./send-delivery.ts";

/** Requests to one receiver at a time. */
const IN_FLIGHT_MAX = 32;
/** Deliveries of one receiver in memory, rows of one read, and customers ready to be sent to beyond which nothing is read. */
const KNOWN_MAX = 2_000;
const READ_ROWS = 200;
const READY_ENOUGH = 2 * IN_FLIGHT_MAX;
/** A customer with so many deliveries in memory is passed over by the next read. */
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
}

export interface DeliverOptions {
  /** The address of an export's file, signed now, for one hour (program.md 7). */
  readonly exportUrl: Receiver["exportUrl"];
  /** Ends the work: what is in flight is finished and written down. */
  readonly signal: AbortSignal;
  /** Calls the listener when there may be work; answers how to end that. Absent: polling alone finds it. */
  readonly onWake?: (listener: () => void) => () => void;
  /** How callbacks' hosts are found. Absent: the system's lookup. */
  readonly resolver?: CallbackResolver;
}

interface WakeSignal {
  notify(): void;
  /** Until it is notified or so long; at once where it was meanwhile. */
  wait(waitMs: number): Promise<void>;
}

/** What a worker keeps of one receiver. */
interface Lane {
  readonly deps: Deps;
  readonly lease: ReceiverLease;
  readonly options: DeliverOptions;
  readonly dispatcher: Agent;
  readonly wakeSignal: WakeSignal;
  readonly queues: CustomerQueues<DueDelivery>;
  readonly sends: Set<Promise<void>>;
  outcomes: Outcome[];
  /** Deliveries whose outcome is in the database, to be forgotten before the next read. */
  written: DueDelivery[];
  recording: Promise<void> | null;
  facts: ReceiverFacts | null;
  health: Health;
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
  const lane = openLane(deps, lease, options);
  const unsubscribe = options.onWake?.(lane.wakeSignal.notify);
  options.signal.addEventListener("abort", lane.wakeSignal.notify);
  try {
    while (isOpen(lane)) {
      if (!(await fill(lane))) break;
      pump(lane);
      const isHungry = lane.hasMore && lane.queues.ready.size < READY_ENOUGH && hasRoom(lane);
      if (!isHungry) await rest(lane);
    }
  } finally {
    options.signal.removeEventListener("abort", lane.wakeSignal.notify);
    unsubscribe?.();
    await Promise.all(lane.sends);
    await lane.recording;
    await lane.dispatcher.destroy();
  }
}

function openLane(deps: Deps, lease: ReceiverLease, options: DeliverOptions): Lane {
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
    facts: null,
    health: { failures: 0, revivals: 0 },
    hasMore: false,
    readAtMs: 0,
    early: { revivals: 0, afterUid: FIRST_UID, isOver: true, readAtMs: 0 },
  };
}

function createWakeSignal(): WakeSignal {
  let isNotified = false;
  let wake: () => void = () => {};
  return {
    notify() {
      isNotified = true;
      wake();
    },
    async wait(waitMs) {
      if (!isNotified) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isNotified = false;
    },
  };
}

function isOpen(lane: Lane): boolean {
  return !lane.options.signal.aborted && lane.lease.isHeld();
}

function hasRoom(lane: Lane): boolean {
  return lane.queues.known.size - lane.written.length + READ_ROWS <= KNOWN_MAX;
}

/** Waits for work; reads stay a little apart, so that each takes many rows. */
async function rest(lane: Lane): Promise<void> {
  await lane.wakeSignal.wait(lane.early.isOver ? POLL_MS : EARLY_APART_MS);
  const sinceMs = performance.now() - lane.readAtMs;
  if (sinceMs < READS_APART_MS) await delay(READS_APART_MS - sinceMs);
}

/** Reads what may be sent into memory. False: the subscription is no more, or no longer ours. */
async function fill(lane: Lane): Promise<boolean> {
  lane.readAtMs = performance.now();
  try {
    if (lane.facts === null && !(await readFacts(lane))) return false;
    forgetDeliveries(lane.queues, lane.written.splice(0));
    if (lane.queues.ready.size >= READY_ENOUGH || !hasRoom(lane)) lane.hasMore = true;
    else {
      await fillDue(lane);
      await fillEarly(lane);
    }
    return await readFacts(lane); // after the rows: a key confirmed before an event signs it
  } catch (error) {
    lane.hasMore = false;
    lane.deps.log.warn({ error }, "due deliveries could not be read");
    return true;
  }
}

async function readFacts(lane: Lane): Promise<boolean> {
  const facts = await readReceiver(lane.deps, lane.lease.subscriptionUid, lane.lease.leaseUid);
  if (facts === null) return false;
  if (lane.facts === null) lane.health = facts.health;
  lane.facts = facts;
  return true;
}

async function fillDue(lane: Lane): Promise<void> {
  const rows = await readDue(lane.deps, {
    subscriptionUid: lane.lease.subscriptionUid,
    knownUids: [...lane.queues.known.keys()],
    busyCustomers: longQueues(lane.queues, BUSY_CUSTOMER),
    isDead: isDead(lane.health),
    rowsMax: READ_ROWS,
  });
  for (const row of rows) addDelivery(lane.queues, row);
  lane.hasMore = rows.length === READ_ROWS;
}

async function fillEarly(lane: Lane): Promise<void> {
  const { early, health } = lane;
  if (early.revivals !== health.revivals) Object.assign(early, restartEarly(health.revivals));
  if (early.isOver || isDead(health) || performance.now() - early.readAtMs < EARLY_APART_MS) return;
  early.readAtMs = performance.now();
  const rows = await readEarly(lane.deps, {
    subscriptionUid: lane.lease.subscriptionUid,
    revivals: early.revivals,
    afterUid: early.afterUid,
    knownUids: [...lane.queues.known.keys()],
    rowsMax: EARLY_ROWS,
  });
  for (const row of rows) addDelivery(lane.queues, row);
  early.afterUid = rows.at(-1)?.uid ?? early.afterUid;
  early.isOver = rows.length < EARLY_ROWS;
}

function restartEarly(revivals: number) {
  return { revivals, afterUid: FIRST_UID, isOver: false };
}

/** Sends what may be sent now. */
function pump(lane: Lane): void {
  const { facts } = lane;
  while (facts !== null && isOpen(lane) && lane.sends.size < IN_FLIGHT_MAX) {
    const delivery = takeDelivery(lane.queues);
    if (delivery === undefined) return;
    const { exportUrl } = lane.options;
    const receiver = { ...facts, dispatcher: lane.dispatcher, revivals: lane.health.revivals, exportUrl };
    const send = sendDelivery(lane.deps, receiver, delivery).then((outcome) => {
      lane.sends.delete(send);
      takeIn(lane, outcome);
    });
    lane.sends.add(send);
  }
}

function takeIn(lane: Lane, outcome: Outcome): void {
  const isSuccess = isAcknowledged(outcome);
  lane.health = healthAfter(lane.health, isSuccess);
  returnDelivery(lane.queues, outcome.delivery, isSuccess);
  lane.outcomes.push(outcome);
  lane.recording ??= record(lane).finally(() => {
    lane.recording = null;
  });
  pump(lane);
  if (lane.hasMore && lane.queues.ready.size < READY_ENOUGH) lane.wakeSignal.notify();
}

/** Writes down what came back, all of it that came while the last batch was written. After a failed write it is tried again. */
async function record(lane: Lane): Promise<void> {
  while (lane.outcomes.length > 0) {
    const batch = lane.outcomes.splice(0, RECORD_MAX);
    const recording = { ...lane.lease, health: lane.health };
    try {
      wakeAt(lane, await recordAttempts(lane.deps, recording, batch));
      recorded(lane, batch);
    } catch (error) {
      lane.outcomes.unshift(...batch);
      lane.deps.log.warn({ error }, "attempts could not be written down");
      if (!isOpen(lane)) return; // whoever serves the receiver next sends these again
      await delay(POLL_MS);
    }
  }
}

function recorded(lane: Lane, batch: readonly Outcome[]): void {
  for (const { delivery } of batch) lane.written.push(delivery);
  const failed = batch.filter((outcome) => !isAcknowledged(outcome));
  if (failed.length > 0) lane.hasMore = true; // what they held up may go now, or wait for them
  // One that was out while the receiver came back has its early try still before it.
  if (failed.some((outcome) => outcome.revivals < lane.health.revivals)) {
    Object.assign(lane.early, restartEarly(lane.health.revivals));
  }
  if (lane.hasMore && lane.queues.ready.size < READY_ENOUGH) lane.wakeSignal.notify();
}

function wakeAt(lane: Lane, soonest: Temporal.Instant | null): void {
  if (soonest === null) return;
  const waitMs = Math.max(0, Math.ceil(lane.deps.clock.now().until(soonest).total("milliseconds")));
  if (waitMs < TIMER_MAX_MS) setTimeout(lane.wakeSignal.notify, waitMs).unref();
}
