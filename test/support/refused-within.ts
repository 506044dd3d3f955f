import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 50;

/**
 * Asks until it is refused. Nothing may be accepted that is asked `limitMs` from now, or later. What counts is when it was asked, not when the answer
 * came: a machine that pauses meanwhile is no failure.
 */
export async function refusedWithin(limitMs: number, isRefused: () => Promise<boolean>): Promise<void> {
  const fromMs = performance.now();
  for (;;) {
    const afterMs = performance.now() - fromMs;
    if (await isRefused()) return;
    if (afterMs >= limitMs) throw new Error(`what was asked after ${Math.round(afterMs)} ms was still accepted`);
    await delay(PAUSE_MS);
  }
}
