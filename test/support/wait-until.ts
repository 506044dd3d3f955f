import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 5;

/** Waits until a condition is true; throws after `limitMs`. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, limitMs = 120_000): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > limitMs) throw new Error(`waited ${limitMs} ms in vain`);
    await delay(PAUSE_MS);
  }
}
