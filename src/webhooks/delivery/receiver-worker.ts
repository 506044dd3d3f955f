import type { Agent } from "undici";
import type { WakeSignal } from "../../db/wake-signal.ts";
import type { Deps } from "../../deps.ts";
import type { CallbackResolver } from "../callbacks/resolve-callback.ts";
import type { CustomerQueues } from "./customer-queues.ts";
import { ATTEMPTS_A_TURN, type DeadReceivers } from "./dead-receivers.ts";
import type { AttemptOutcome, BatchedDelivery, DueDelivery } from "./delivery.ts";
import type { ReceiverFacts } from "./read-receiver.ts";
import type { ReceiverCursor } from "./receiver-cursor.ts";
import { isDead, type ReceiverHealth } from "./retry-schedule.ts";
import type { Receiver } from "./send-delivery.ts";
import type { BatchCache } from "./written-batch.ts";

type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** The right to serve one receiver, as long as it is held. */
export interface ReceiverLease {
  readonly subscriptionUid: string;
  readonly leaseUid: string;
  isHeld(): boolean;
  /** The dead receivers of the process. */
  readonly deadReceivers: DeadReceivers;
  /** Runs reads and writes of dead receivers one at a time, because each uses a connection of the database. */
  readonly limitReads: Limit;
  readonly limitWrites: Limit;
  /** Aborted when the process has waited long enough: deliveries without an answer by then are sent again by the receiver's next worker. */
  readonly givenUp: AbortSignal;
}

export interface DeliverOptions {
  /** Returns the URL of an export's file, signed now, for one hour (program.md 7). */
  readonly exportUrl: Receiver["exportUrl"];
  /** Ends the work: requests in flight are finished and recorded. */
  readonly signal: AbortSignal;
  /** Registers a listener that is called when there may be work; returns how to remove it. Absent: only polling finds work. */
  readonly onWake?: (listener: Deps["wake"]["deliveries"]) => () => void;
  /** Resolves the hosts of callbacks. Absent: the system's lookup. */
  readonly resolver?: CallbackResolver;
}

/** The state that a worker keeps for one receiver. */
export interface ReceiverWorker {
  readonly deps: Deps;
  readonly lease: ReceiverLease;
  readonly options: DeliverOptions;
  readonly dispatcher: Agent;
  readonly wakeSignal: WakeSignal;
  readonly queues: CustomerQueues<DueDelivery>;
  /** Batches that this process has just committed and that were not read yet. */
  readonly batchCache: BatchCache;
  /** null: not taken yet. */
  cursor: ReceiverCursor | null;
  readonly sends: Set<Promise<void>>;
  /** Attempts left of a dead receiver's turn; null: it waits for one. */
  turnLeft: number | null;
  outcomes: AttemptOutcome[];
  /** Deliveries from batches that get their own rows without an attempt, and are not being written yet. */
  putOff: BatchedDelivery[];
  /** The number of these that are not in the database yet, by customer; "" counts those without a customer. */
  readonly puttingOff: Map<string, number>;
  /** Deliveries whose outcome is in the database; they are removed before the next read. */
  written: DueDelivery[];
  recording: Promise<void> | null;
  /** When the last write of outcomes began. */
  recordedAtMs: number;
  /** Resolves when the next batch of outcomes was written, or could not be. */
  nextRecord: PromiseWithResolvers<void>;
  /** False: the receiver was deleted or belongs to another worker, so this worker must not record outcomes. */
  hasCursor: boolean;
  /** Nothing more is sent, even if the lease is renewed meanwhile. */
  isClosing: boolean;
  facts: ReceiverFacts | null;
  health: ReceiverHealth;
  /** The health as it is in the database. */
  writtenHealth: ReceiverHealth;
  /** Rows were left for the next read. */
  hasMore: boolean;
  readAtMs: number;
  /** When it was last found that an earlier version left nothing waiting. */
  unbatchedAtMs: number;
  /** When it was last looked for deliveries that wait for the time of a clock that was ahead. */
  broughtForwardAtMs: number;
  early: { revivals: number; afterUid: string; isOver: boolean; readAtMs: number };
}

/** With this many ready customers, nothing more is read. */
const READY_ENOUGH = 64;

/** Requests in flight to one receiver, its deliveries in memory, and the rows of one read. */
export const LIMITS = { inFlight: 32, known: 2_000, read: 500 };
const LIMITS_DEAD = { inFlight: ATTEMPTS_A_TURN, known: 200, read: 100 };
/** The maximum number of batches after the cursor, each of which may keep one event that waits for its answer. It bounds each write of the cursor. */
const BEGUN_MAX = 2_048;
/** The minimum time between two reads of early tries for a recovered receiver. */
export const EARLY_APART_MS = 100;

const FIRST_UID = "00000000-0000-0000-0000-000000000000";

/** Whether more may be sent. */
export function isOpen(worker: ReceiverWorker): boolean {
  return !worker.isClosing && !worker.options.signal.aborted && worker.lease.isHeld();
}

/** Adjusts the number of a customer's put-off deliveries that are not in the database yet. */
export function countPutOff(counts: Map<string, number>, customerUid: string | null, more: 1 | -1): void {
  const key = customerUid ?? "";
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Restarts the early tries when a receiver has recovered. */
export const restartEarly = (revivals: number) => ({ revivals, afterUid: FIRST_UID, isOver: false });

/** Returns the limits of reading and sending: lower ones for a dead receiver. */
export function limitsOf(worker: ReceiverWorker): typeof LIMITS {
  return isDead(worker.health) ? LIMITS_DEAD : LIMITS;
}

/** Whether enough may be sent without another read: for a dead receiver, enough for its next turn. */
export function hasEnough({ health, queues }: ReceiverWorker): boolean {
  return queues.ready.size >= (isDead(health) ? ATTEMPTS_A_TURN : READY_ENOUGH);
}

/** Whether the deliveries of another read fit into memory. */
export function hasRoom(worker: ReceiverWorker): boolean {
  const { known, read } = limitsOf(worker);
  if ((worker.cursor?.begun.size ?? 0) >= BEGUN_MAX) return false;
  return worker.queues.known.size - worker.written.length + read <= known;
}
