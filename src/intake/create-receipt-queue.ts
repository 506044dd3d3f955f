import { runAsSystem } from "../actor.ts";
import { isDatabaseAway } from "../db/database-away.ts";
import { isRetryable, sqlState } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { NewReceipt, ReceiptStatus } from "./receipt.ts";
import { storeReceipts } from "./store-receipts.ts";

/** Stores receipts of requests, those that come at the same time together. */
export interface ReceiptQueue {
  /** Ends once they are stored. Returns the status of each, in their order: one that came before keeps its state. */
  add(receipts: readonly NewReceipt[]): Promise<readonly ReceiptStatus[]>;
}

interface Waiting {
  readonly receipts: readonly NewReceipt[];
  resolve(statuses: readonly ReceiptStatus[]): void;
  reject(error: unknown): void;
}

const BATCH_REQUESTS_MAX = 128;
const BATCH_BYTES_MAX = 1_024 * 1_024;
const BATCHES_IN_FLIGHT = 4;
/** Another batch starts beside the ones in flight when so many requests wait, or one waits so long: it may be for a lock. */
const NEXT_BATCH_MIN = 32;
const PATIENCE_MS = 25;
const WAITING_MAX = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Gathers the receipts of single requests into batches, as the posting queue does: what arrives in one turn of the event loop is stored
 * in one transaction, and what arrives while it commits in the next. Nothing waits when the service is idle. A batch that fails is stored
 * request by request, and each hears of its own failure.
 */
export function createReceiptQueue(deps: Pick<Deps, "db" | "wake">): ReceiptQueue {
  const waiting: Waiting[] = [];
  let inFlight = 0;
  let isGathering = false;
  let patience: NodeJS.Timeout | undefined;

  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      startBatches(NEXT_BATCH_MIN);
    });
  }

  function startBatches(nextMin: number): void {
    while (waiting.length > 0 && (inFlight === 0 || (inFlight < BATCHES_IN_FLIGHT && waiting.length >= nextMin))) {
      inFlight++;
      storeBatch(deps, nextBatch(waiting)).finally(() => {
        inFlight--;
        gather();
      });
    }
    clearTimeout(patience);
    if (waiting.length > 0) patience = setTimeout(() => startBatches(1), PATIENCE_MS);
  }

  return {
    add(receipts) {
      if (waiting.length >= WAITING_MAX) return Promise.reject(new Problem("unavailable", { retryAfterS: 1 }));
      return new Promise((resolve, reject) => {
        waiting.push({ receipts, resolve, reject });
        if (inFlight < BATCHES_IN_FLIGHT) runAsSystem(gather); // a batch is many requests' work: no one of them acts
      });
    },
  };
}

/** Takes the requests of the next batch from the queue: one at least, however large. */
function nextBatch(waiting: Waiting[]): readonly Waiting[] {
  let bytes = 0;
  const isOver = ({ receipts }: Waiting, n: number): boolean => {
    bytes += receipts.reduce((sum, { body }) => sum + body.length, 0);
    return n === BATCH_REQUESTS_MAX || (n > 0 && bytes > BATCH_BYTES_MAX);
  };
  const end = waiting.findIndex(isOver);
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

/** Stores a batch to its end: every request is answered. */
async function storeBatch(deps: Pick<Deps, "db" | "wake">, batch: readonly Waiting[]): Promise<void> {
  try {
    const statuses = await stored(
      deps,
      batch.flatMap(({ receipts }) => receipts),
    );
    let from = 0;
    for (const { receipts, resolve } of batch) {
      resolve(statuses.slice(from, from + receipts.length));
      from += receipts.length;
    }
  } catch (error) {
    const mayPass = isRetryable(error) || sqlState(error) === LOCK_NOT_AVAILABLE; // of a receipt that another transaction holds
    if (batch.length > 1 && (mayPass || !isDatabaseAway(error)))
      await Promise.all(batch.map((one) => storeBatch(deps, [one])));
    else for (const { reject } of batch) reject(error);
  }
}

function stored(deps: Pick<Deps, "db" | "wake">, receipts: readonly NewReceipt[]): Promise<readonly ReceiptStatus[]> {
  return deps.db.tx((tx) => storeReceipts(tx, deps, receipts));
}
