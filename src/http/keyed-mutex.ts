import { Problem } from "../problems.ts";

const WAIT_MAX_MS = 10_000;

/** The work that runs in this process, by name. */
const running = new Map<string, Promise<void>>();

/**
 * Runs `work` when nothing else runs under its name in this process, so that requests that wait for the same Idempotency-Key hold no connection; the
 * database's lock covers other processes. Throws 409 after 10 seconds (program.md 2).
 */
export async function withKeyedMutex<T>(name: string, work: () => Promise<T>): Promise<T> {
  const deadlineMs = performance.now() + WAIT_MAX_MS;
  for (let before = running.get(name); before !== undefined; before = running.get(name))
    await until(before, deadlineMs);
  const done = Promise.withResolvers<void>();
  running.set(name, done.promise);
  try {
    return await work();
  } finally {
    running.delete(name);
    done.resolve();
  }
}

async function until(end: Promise<void>, deadlineMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => late.reject(new Problem("idempotency_running")),
    Math.max(0, deadlineMs - performance.now()),
  );
  try {
    await Promise.race([end, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
