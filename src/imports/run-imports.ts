import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { workImports } from "./work-imports.ts";

/** How soon a started import is found. */
const POLL_MS = 500;

/** The loop of a worker for imports: does what was started, until the signal. */
export async function runImports(deps: Deps, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  while (!signal.aborted) {
    await workImports(deps, signal);
    await delay(POLL_MS, undefined, { signal }).catch(() => {}); // stopping ends the pause
  }
}
