import { setTimeout as delay } from "node:timers/promises";

const FIRST_PAUSE_MS = 20;
const PAUSE_MAX_MS = 500;

/** Checks repeatedly until the condition is true; returns whether it was within `limitMs` milliseconds. */
export async function until(limitMs: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    if (await holds()) return true;
    if (performance.now() > endMs) return false;
    await delay(pauseMs);
  }
}
