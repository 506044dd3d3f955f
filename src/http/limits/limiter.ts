import { Problem } from "../../problems.ts";

const RETRY_AFTER_S = 2;

/** Creates a limiter that runs at most `running` works at once and the others in their order; if `waiting` are already waiting, it throws 503. */
export function createLimiter({ running, waiting }: { readonly running: number; readonly waiting: number }) {
  let free = running;
  const line: (() => void)[] = [];
  return async function limit<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--;
    else await standInLine();
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) free++;
      else next(); // the turn goes to the one that waited longest
    }
  };

  function standInLine(): Promise<void> {
    if (line.length >= waiting) throw new Problem("unavailable", { retryAfterS: RETRY_AFTER_S });
    const { promise, resolve } = Promise.withResolvers<void>();
    line.push(resolve);
    return promise;
  }
}
