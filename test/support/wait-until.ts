import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 5;

/** Waits until a condition is true, at which it looks again after `pauseMs`; throws after `limitMs`. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  limitMs = 240_000,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > limitMs) throw new Error(`waited ${limitMs} ms in vain`);
    await delay(pauseMs);
  }
}
