import { Problem } from "../problems.ts";

const WAIT_MAX_MS = 10_000;

/** Begins the work of somebody who waits. */
type Begin = () => void;

/** Those who wait, in their order, by the name of the work that runs in this process. */
const waiting = new Map<string, Set<Begin>>();

/**
 * Runs `work` when nothing else runs under its name in this process, so that requests that wait for the same Idempotency-Key hold no connection; the
 * database's lock covers other processes. The end of a work begins the one that has waited longest, and no other. Throws 409 after 10 seconds
 * (program.md 2).
 */
export async function withKeyedMutex<T>(name: string, work: () => Promise<T>): Promise<T> {
  const line = waiting.get(name);
  if (line === undefined) waiting.set(name, new Set());
  else await standIn(line);
  try {
    return await work();
  } finally {
    passOn(name);
  }
}

function standIn(line: Set<Begin>): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer);
      line.delete(begin);
      resolve();
    };
    const timer = setTimeout(() => {
      line.delete(begin);
      reject(new Problem("idempotency_running"));
    }, WAIT_MAX_MS);
    line.add(begin);
  });
}

function passOn(name: string): void {
  const [begin] = waiting.get(name) ?? [];
  if (begin === undefined) waiting.delete(name);
  else begin();
}
