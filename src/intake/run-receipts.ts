import { createWakeSignal } from "../db/wake-signal.ts";
import type { Deps } from "../deps.ts";
import { processDueReceipts, type Round } from "./process-due-receipts.ts";
import { recordPace } from "./record-pace.ts";

/** The interval at which receipts of other nodes, and failures that are due again, are found. */
const POLL_MS = 500;
/** The interval at which processed receipts are counted. */
const PACE_MS = 5_000;

export interface RunReceiptsOptions {
  /** Ends the work after the receipts in progress. */
  readonly signal: AbortSignal;
  /** Registers a listener that is called when there may be work; returns a function that removes it. Absent: only polling finds work. */
  readonly onWake?: (listener: () => void) => () => void;
}

/** Runs the receipts' part of a worker: processes what is due as it arrives, until `signal` aborts. Any number may run at once. */
export async function runReceipts(deps: Deps, options: RunReceiptsOptions): Promise<void> {
  const { signal, onWake } = options;
  const wake = createWakeSignal();
  const pace = createPace(deps);
  const unsubscribe = onWake?.(wake.notify);
  signal.addEventListener("abort", wake.notify);
  try {
    while (!signal.aborted) {
      wake.reset();
      const { processed, faults } = await round(deps, signal);
      if (faults.length > 0) deps.log.warn({ error: faults[0], count: faults.length }, "receipts must wait");
      await pace.add(processed);
      if (processed === 0) await wake.wait(POLL_MS);
    }
    await pace.flush();
  } finally {
    signal.removeEventListener("abort", wake.notify);
    unsubscribe?.();
  }
}

/** Counts from time to time how many receipts this worker processed. */
function createPace(deps: Pick<Deps, "db" | "random" | "log">) {
  const worker = deps.random.uid();
  let waiting = 0;
  let flushedMs = performance.now();
  const flush = async (): Promise<void> => {
    if (waiting === 0) return;
    const processed = waiting;
    waiting = 0;
    flushedMs = performance.now();
    await recordPace(deps.db, worker, processed).catch((error: unknown) => {
      deps.log.warn({ error, processed }, "the rate of processed receipts was not recorded");
    });
  };
  return {
    flush,
    async add(processed: number): Promise<void> {
      waiting += processed;
      if (performance.now() - flushedMs >= PACE_MS) await flush();
    },
  };
}

async function round(deps: Deps, signal: AbortSignal): Promise<Round> {
  try {
    return await processDueReceipts(deps, signal);
  } catch (error) {
    return { processed: 0, busy: 0, faults: [error] };
  }
}
