import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { workMoves } from "./work-moves.ts";

/** How soon a started move is found. */
const POLL_MS = 500;

/** The loop of a worker that imports uploaded files of other apps, until the signal. */
export async function runMoves(deps: Deps, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  while (!signal.aborted) {
    await workMoves(deps, signal);
    await delay(POLL_MS, undefined, { signal }).catch(() => {}); // stopping ends the pause
  }
}
