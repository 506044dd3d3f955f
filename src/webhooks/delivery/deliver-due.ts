import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { createWakeSignal } from "../../db/wake-signal.ts";
import type { Deps } from "../../deps.ts";
import { countDeliveryAttempt } from "../../instruments/instruments.ts";
import { guardedLookup } from "../callbacks/guarded-lookup.ts";
import { emptyQueues, returnDelivery, takeDelivery } from "./customer-queues.ts";
import { ATTEMPTS_A_TURN, recordHealth, takeRead, takeTurn } from "./dead-receivers.ts";
import { type AttemptOutcome, isAcknowledged } from "./delivery.ts";
import { fillWorker } from "./fill-worker.ts";
import {
  type DeliverOptions,
  EARLY_APART_MS,
  hasEnough,
  hasRoom,
  isOpen,
  LIMITS,
  limitsOf,
  type ReceiverLease,
  type ReceiverWorker,
  restartEarly,
} from "./receiver-worker.ts";
import { healthAfter, isDead } from "./retry-schedule.ts";
import { sendDelivery } from "./send-delivery.ts";
import { writeOutcomes } from "./write-outcomes.ts";
import { cacheBatch, isForTopic, type WrittenBatch } from "./written-batch.ts";

const POLL_MS = 500;
/** Turns off undici's timeouts: `sendDelivery` ends an attempt after 5 seconds, whatever it waits for. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };
/**
 * Delivers one receiver's events as they become due, until the signal, the loss of the lease, or the end of the subscription (program.md 7). Reads
 * due deliveries, sends them outside every transaction with up to 32 requests at a time and one per customer, and records outcomes in batches. A
 * delivery stays in the database until its outcome is recorded: after a crash it is sent again.
 */
export async function deliverDue(deps: Deps, lease: ReceiverLease, options: DeliverOptions): Promise<void> {
  const worker = openWorker(deps, lease, options);
  const unsubscribe = options.onWake?.((written) => wakeWorker(worker, written));
  options.signal.addEventListener("abort", worker.wakeSignal.notify);
  const giveUp = () => void worker.dispatcher.destroy();
  lease.givenUp.addEventListener("abort", giveUp);
  try {
    while (isOpen(worker)) {
      if (!(await fillInTurn(worker))) break;
      pump(worker);
      const isHungry = !isDead(worker.health) && worker.hasMore && !hasEnough(worker) && hasRoom(worker);
      if (!isHungry) await rest(worker);
    }
  } finally {
    options.signal.removeEventListener("abort", worker.wakeSignal.notify);
    unsubscribe?.();
    worker.isClosing = true;
    await Promise.all(worker.sends);
    await worker.recording;
    recordHealth(lease.deadReceivers, worker, false);
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
    batchCache: new Map(),
    cursor: null,
    sends: new Set(),
    turnLeft: 0,
    outcomes: [],
    putOff: [],
    puttingOff: new Map(),
    written: [],
    recording: null,
    recordedAtMs: 0,
    nextRecord: Promise.withResolvers(),
    hasCursor: true,
    isClosing: false,
    facts: null,
    health: { failures: 0, revivals: 0 },
    writtenHealth: { failures: 0, revivals: 0 },
    hasMore: false,
    readAtMs: 0,
    unbatchedAtMs: Number.NEGATIVE_INFINITY,
    broughtForwardAtMs: Number.NEGATIVE_INFINITY,
    early: { ...restartEarly(0), isOver: true, readAtMs: 0 },
  };
}

/** Keeps batches that were just written, and wakes the worker if any is of its topic. A dead receiver keeps none: it reads when its turn comes. */
function wakeWorker(worker: ReceiverWorker, written: readonly WrittenBatch[] = []): void {
  const { facts, batchCache, health } = worker;
  if (facts !== null && !isForTopic(facts.topic, written)) return;
  if (facts !== null && !isDead(health)) cacheBatch(batchCache, facts.topic, written, performance.now());
  worker.wakeSignal.notify();
}

/** Waits for work. There is a short pause between reads, so that each read returns many rows. */
async function rest(worker: ReceiverWorker): Promise<void> {
  await worker.wakeSignal.wait(worker.early.isOver ? POLL_MS : EARLY_APART_MS);
  worker.wakeSignal.reset();
  const waitMs = takeRead(worker.lease.deadReceivers, worker, worker.readAtMs, performance.now());
  if (waitMs > 0) await delay(waitMs, undefined, { signal: worker.options.signal }).catch(() => {});
}

function fillInTurn(worker: ReceiverWorker): Promise<boolean> {
  if (!isDead(worker.health)) return fillWorker(worker.deps, worker);
  return worker.lease.limitReads(async () => isOpen(worker) && (await fillWorker(worker.deps, worker)));
}

/** Sends the deliveries that may be sent now. */
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
  countDeliveryAttempt(worker.deps.instruments, worker.facts?.topic ?? "unknown", outcome.status, outcome.durationMs);
  worker.health = healthAfter(worker.health, isSuccess);
  recordHealth(worker.lease.deadReceivers, worker, isDead(worker.health));
  returnDelivery(worker.queues, outcome.delivery, isSuccess);
  worker.outcomes.push(outcome);
  writeOutcomes(worker.deps, worker);
  pump(worker);
  if (worker.hasMore && !hasEnough(worker)) worker.wakeSignal.notify();
}
