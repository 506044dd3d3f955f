import { setTimeout as delay } from "node:timers/promises";

/** Waits until something ends, but no longer than so many milliseconds. Throws what it throws meanwhile. */
export async function waitAtMost(ending: Promise<unknown>, ms: number): Promise<void> {
  const end = new AbortController();
  try {
    await Promise.race([ending, delay(ms, undefined, { signal: end.signal }).catch(() => {})]);
  } finally {
    end.abort();
  }
}
