import type { Agent } from "undici";
import type { WakeSignal } from "../db/wake-signal.ts";
import type { Deps } from "../deps.ts";
import type { CustomerQueues } from "./customer-queues.ts";
import { ATTEMPTS_A_TURN, type DeadReceivers } from "./dead-receivers.ts";
import type { AttemptOutcome, BatchedDelivery, DueDelivery } from "./delivery.ts";
import type { ReceiverFacts } from "./read-receiver.ts";
import type { ReceiverCursor } from "./receiver-cursor.ts";
import type { CallbackResolver } from "./resolve-callback.ts";
import { isDead, type ReceiverHealth } from "./retry-schedule.ts";
import type { Receiver } from "./send-delivery.ts";
import type { FreshBatches } from "./written-batch.ts";

type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** The right to serve one receiver, as long as it is held. */
export interface ReceiverLease {
  readonly subscriptionUid: string;
  readonly leaseUid: string;
  isHeld(): boolean;
  /** Those of the process. */
  readonly deadReceivers: DeadReceivers;
  /** Run what dead receivers read and write one at a time: they use one connection of the database for each. */
  readonly limitReads: Limit;
  readonly limitWrites: Limit;
  /** Aborted when the process has waited long enough: what has no answer by then is sent again by whoever serves the receiver next. */
  readonly givenUp: AbortSignal;
}

export interface DeliverOptions {
  /** The address of an export's file, signed now, for one hour (program.md 7). */
  readonly exportUrl: Receiver["exportUrl"];
  /** Ends the work: what is in flight is finished and written down. */
  readonly signal: AbortSignal;
  /** Calls the listener when there may be work; returns how to end that. Absent: polling alone finds it. */
  readonly onWake?: (listener: Deps["wake"]["deliveries"]) => () => void;
  /** How callbacks' hosts are found. Absent: the system's lookup. */
  readonly resolver?: CallbackResolver;
}

/** What a worker keeps of one receiver. */
export interface ReceiverWorker {
  readonly deps: Deps;
  readonly lease: ReceiverLease;
  readonly options: DeliverOptions;
  readonly dispatcher: Agent;
  readonly wakeSignal: WakeSignal;
  readonly queues: CustomerQueues<DueDelivery>;
  /** Batches that this process has just committed and that were not read yet. */
  readonly fresh: FreshBatches;
  /** Null: not taken yet. */
  cursor: ReceiverCursor | null;
  readonly sends: Set<Promise<void>>;
  /** Attempts left of a dead receiver's turn; null: it waits for one. */
  turnLeft: number | null;
  outcomes: AttemptOutcome[];
  /** Deliveries out of batches that get rows of their own untried, and are not being written yet. */
  putOff: BatchedDelivery[];
  /** By customer, how many of these are not in the database yet; "" counts those of no customer. */
  readonly puttingOff: Map<string, number>;
  /** Deliveries whose outcome is in the database, to be forgotten before the next read. */
  written: DueDelivery[];
  recording: Promise<void> | null;
  /** When outcomes were last begun to be written. */
  recordedAtMs: number;
  /** Ends when the next batch of outcomes was written, or could not be. */
  nextRecord: PromiseWithResolvers<void>;
  /** False: the receiver is gone or another worker's, and what came of attempts is not ours to write down. */
  hasCursor: boolean;
  /** Nothing more is sent, even where the lease is renewed meanwhile. */
  isClosing: boolean;
  facts: ReceiverFacts | null;
  health: ReceiverHealth;
  /** As it is in the database. */
  writtenHealth: ReceiverHealth;
  /** Rows were left for the next read. */
  hasMore: boolean;
  readAtMs: number;
  /** When nothing of an earlier version was last found waiting. */
  adoptedAtMs: number;
  early: { revivals: number; afterUid: string; isOver: boolean; readAtMs: number };
}

/** Customers ready to be sent to beyond which nothing is read. */
const READY_ENOUGH = 64;

/** Requests to one receiver at a time, its deliveries in memory, and those of one read. */
export const LIMITS = { inFlight: 32, known: 2_000, read: 500 };
const LIMITS_DEAD = { inFlight: ATTEMPTS_A_TURN, known: 200, read: 100 };
/** Batches behind the cursor, of which each may keep one event that waits for its answer: what is written with each move stays small. */
const BEGUN_MAX = 2_048;
/** How long a receiver that came back is left between two reads of what gets an early try. */
export const EARLY_APART_MS = 100;

const FIRST_UID = "00000000-0000-0000-0000-000000000000";

/** Whether more may be sent. */
export function isOpen(worker: ReceiverWorker): boolean {
  return !worker.isClosing && !worker.options.signal.aborted && worker.lease.isHeld();
}

/** Counts deliveries of a customer that are put off and not in the database yet. */
export function countPutOff(counts: Map<string, number>, customerUid: string | null, more: 1 | -1): void {
  const key = customerUid ?? "";
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Where early tries begin again when a receiver came back. */
export const restartEarly = (revivals: number) => ({ revivals, afterUid: FIRST_UID, isOver: false });

/** What is read and sent at a time: a dead receiver gets less. */
export function limitsOf(worker: ReceiverWorker): typeof LIMITS {
  return isDead(worker.health) ? LIMITS_DEAD : LIMITS;
}

/** Whether enough may be sent without another read: of a dead receiver what its next turn takes. */
export function hasEnough({ health, queues }: ReceiverWorker): boolean {
  return queues.ready.size >= (isDead(health) ? ATTEMPTS_A_TURN : READY_ENOUGH);
}

/** Whether another read's deliveries may be taken into memory. */
export function hasRoom(worker: ReceiverWorker): boolean {
  const { known, read } = limitsOf(worker);
  if ((worker.cursor?.begun.size ?? 0) >= BEGUN_MAX) return false;
  return worker.queues.known.size - worker.written.length + read <= known;
}
