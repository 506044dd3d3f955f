import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { workMoves } from "./work-moves.ts";

/** What somebody started is found this soon. */
const POLL_MS = 500;

/** The part of a worker that brings in uploaded files of other apps, until the signal. */
export async function runMoves(deps: Deps, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  while (!signal.aborted) {
    await workMoves(deps, signal);
    await delay(POLL_MS, undefined, { signal }).catch(() => {}); // stopping ends the pause
  }
}
