import { runAsSystem } from "../actor.ts";
import { observe } from "../instruments/histogram.ts";
import type { BatchCounts } from "../instruments/instruments.ts";
import { runOutsideRequests } from "../instruments/request-scope.ts";
import { Problem } from "../problems.ts";

export interface BatcherOptions<Item> {
  /** Removes the items of the next batch, one at least, from those that wait. */
  take(waiting: Item[]): readonly Item[];
  /** Runs a batch to its end and never rejects: each item's failure is its own. */
  run(batch: readonly Item[]): Promise<void>;
  readonly inFlightMax: number;
  /** How many items must wait before another batch starts beside those in flight. */
  readonly nextMin: number;
  /** Where its batches are counted. */
  readonly counts: BatchCounts;
}

/** How long items wait for the batches in flight, which may wait for a lock, before another one starts with fewer than `nextMin`. */
const PATIENCE_MS = 25;
const WAITING_MAX = 10_000;

/**
 * Gathers items of single requests into batches, each a transaction: what arrives in one turn of the event loop goes together, and what
 * arrives while batches are in flight is the next one. Nothing waits when the service is idle. Returns the function that adds an item; it
 * throws `unavailable` where 10,000 wait.
 */
export function createBatcher<Item>(options: BatcherOptions<Item>): (item: Item) => void {
  const { take, inFlightMax, nextMin, counts } = options;
  const waiting: Item[] = [];
  let inFlight = 0;
  let isGathering = false;
  let patience: NodeJS.Timeout | undefined;
  counts.waiting = () => waiting.length;

  async function run(batch: readonly Item[]): Promise<void> {
    const startedMs = performance.now();
    observe(counts.sizes, batch.length);
    counts.inFlight = inFlight;
    await options.run(batch);
    observe(counts.seconds, (performance.now() - startedMs) / 1_000);
  }

  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      startBatches(nextMin);
    });
  }

  function startBatches(min: number): void {
    while (waiting.length > 0 && (inFlight === 0 || (inFlight < inFlightMax && waiting.length >= min))) {
      inFlight++;
      run(take(waiting)).finally(() => {
        inFlight--;
        counts.inFlight = inFlight;
        gather();
      });
    }
    if (waiting.length === 0) {
      clearTimeout(patience);
      patience = undefined;
    } else {
      patience ??= setTimeout(() => {
        patience = undefined;
        startBatches(1);
      }, PATIENCE_MS);
    }
  }

  return (item) => {
    if (waiting.length >= WAITING_MAX) throw new Problem("unavailable", { retryAfterS: 1 });
    waiting.push(item);
    // a batch is many requests' work: no one of them acts
    if (inFlight < inFlightMax) runOutsideRequests(() => runAsSystem(gather));
  };
}
