import { runAsSystem } from "../actor.ts";
import { observe } from "../instruments/histogram.ts";
import type { BatchCounts } from "../instruments/instruments.ts";
import { runOutsideRequests } from "../instruments/request-scope.ts";
import { Problem } from "../problems.ts";

export interface BatcherOptions<Item> {
  /** Removes the items of the next batch, at least one, from those that wait. */
  take(waiting: Item[]): readonly Item[];
  /** Runs a batch to its end and never rejects: each item has its own failure. */
  run(batch: readonly Item[]): Promise<void>;
  readonly inFlightMax: number;
  /** How many items must wait before another batch starts in parallel to those in flight. */
  readonly nextMin: number;
  /** Where its batches are counted. */
  readonly counts: BatchCounts;
}

/** How long items wait for the batches in flight, which may wait for a lock, before another batch starts with fewer than `nextMin`. */
const PATIENCE_MS = 25;
const WAITING_MAX = 10_000;

/**
 * Collects items of single requests into batches, each a transaction. Items that arrive in one turn of the event loop are one batch, and
 * items that arrive while batches are in flight are the next one. Nothing waits when the service is idle. Returns the function that adds an
 * item; it throws `unavailable` if 10,000 are waiting.
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
    // a batch does the work of many requests, so none of them is its actor
    if (inFlight < inFlightMax) runOutsideRequests(() => runAsSystem(gather));
  };
}
