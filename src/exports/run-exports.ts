import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { makeExports } from "./make-exports.ts";

/** The interval at which exports that another node accepted are found. */
const POLL_MS = 1_000;

export interface RunExportsOptions {
  /** Ends the work: an unfinished file is left to the next worker. */
  readonly signal: AbortSignal;
  /** Registers a listener that is called when there may be work; returns how to remove it. Absent: only polling finds work. */
  readonly onWake?: (listener: () => void) => () => void;
}

/** Runs the exports' part of a worker: makes each export as soon as it is requested, until the signal. */
export async function runExports(deps: Deps, { signal, onWake }: RunExportsOptions): Promise<void> {
  let wake = new AbortController();
  let isWoken = false;
  const unsubscribe = onWake?.(() => {
    isWoken = true;
    wake.abort();
  });
  try {
    while (!signal.aborted) {
      isWoken = false;
      await makeExports(deps, signal);
      wake = new AbortController();
      if (isWoken) continue;
      await delay(POLL_MS, undefined, { signal: AbortSignal.any([signal, wake.signal]) }).catch(() => {}); // woken or stopped
    }
  } finally {
    unsubscribe?.();
  }
}
