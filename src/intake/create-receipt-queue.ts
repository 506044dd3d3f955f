import { createBatcher } from "../db/create-batcher.ts";
import { isDatabaseAway } from "../db/database-away.ts";
import { isRetryable, sqlState } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { batchCounts } from "../instruments/instruments.ts";
import type { NewReceipt, ReceiptStatus } from "./receipt.ts";
import { storeReceipts } from "./store-receipts.ts";

/** Stores receipts of requests; those that arrive at the same time are stored together. */
export interface ReceiptQueue {
  /** Resolves once they are stored. Returns the status of each, in their order: a receipt that was stored before keeps its state. */
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
const NEXT_BATCH_MIN = 32;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Creates a queue that stores the receipts of single requests in batches (`createBatcher`). If a batch fails, it is stored request by
 * request, and each request gets its own failure. Adding throws `unavailable` if the queue is full.
 */
export function createReceiptQueue(deps: Pick<Deps, "db" | "wake" | "instruments">): ReceiptQueue {
  const add = createBatcher<Waiting>({
    inFlightMax: BATCHES_IN_FLIGHT,
    nextMin: NEXT_BATCH_MIN,
    counts: batchCounts(deps.instruments, "receipts"),
    take: nextBatch,
    run: (batch) => storeBatch(deps, batch),
  });
  return { add: (receipts) => new Promise((resolve, reject) => add({ receipts, resolve, reject })) };
}

/** Takes the requests of the next batch from the queue: at least one, however large. */
function nextBatch(waiting: Waiting[]): readonly Waiting[] {
  let bytes = 0;
  const isOver = ({ receipts }: Waiting, n: number): boolean => {
    bytes += receipts.reduce((sum, { body }) => sum + body.length, 0);
    return n === BATCH_REQUESTS_MAX || (n > 0 && bytes > BATCH_BYTES_MAX);
  };
  const end = waiting.findIndex(isOver);
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

/** Stores a batch until every request is answered. */
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
