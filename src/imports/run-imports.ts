import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { workImports } from "./work-imports.ts";

/** What somebody started is found this soon. */
const POLL_MS = 500;

/** The imports' part of a worker: does what was started, until the signal. */
export async function runImports(deps: Deps, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  while (!signal.aborted) {
    await workImports(deps, signal);
    await delay(POLL_MS, undefined, { signal }).catch(() => {}); // stopping ends the pause
  }
}
