import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { makeExports } from "./make-exports.ts";

/** An export that another node accepted is found this soon. */
const POLL_MS = 1_000;

export interface RunExportsOptions {
  /** Ends the work: a file in the making is left to the next worker. */
  readonly signal: AbortSignal;
  /** Calls the listener when there may be work; returns how to end that. Absent: polling alone finds it. */
  readonly onWake?: (listener: () => void) => () => void;
}

/** The exports' part of a worker: makes each as soon as it is asked for, until the signal. */
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
