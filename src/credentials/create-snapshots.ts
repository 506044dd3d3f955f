import type { Deps } from "../deps.ts";

/** Data read from the database, and when reading began, by `performance.now()`. */
export interface Snapshot<T> {
  readonly readAtMs: number;
  readonly value: T;
}

/** Settings that every request needs, cached in the process and read again at intervals. */
export interface Snapshots<T> {
  current(): Snapshot<T>;
  /** Reads in the background, unless a read is in progress. */
  refresh(): void;
  /** Returns a snapshot whose read began after a time: an earlier one may lack a later change. */
  since(sinceMs: number): Promise<Snapshot<T>>;
}

/** A snapshot is read again this long after the last read, without a request waiting for it. */
export const REFRESH_MS = 1_000;
/** No older snapshot is used, so that every node sees a revocation within two seconds (program.md 2). */
export const STALE_MS = 1_900;
/** The minimum time between two reads, however many requests wait. */
const READ_GAP_MS = 100;

/** Creates snapshots that begin with `empty`, which is too old to be used. `what` names the data in the log if a read fails. */
export function createSnapshots<T>(
  deps: Pick<Deps, "log">,
  { read, empty, what }: { readonly read: () => Promise<T>; readonly empty: T; readonly what: string },
): Snapshots<T> {
  let snapshot: Snapshot<T> = { readAtMs: Number.NEGATIVE_INFINITY, value: empty };
  let reading: Promise<Snapshot<T>> | undefined;

  async function readOnce(): Promise<Snapshot<T>> {
    const gapMs = snapshot.readAtMs + READ_GAP_MS - performance.now();
    if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
    const readAtMs = performance.now();
    snapshot = { readAtMs, value: await read() };
    return snapshot;
  }

  /** All callers share a read in progress. */
  function shared(): Promise<Snapshot<T>> {
    reading ??= readOnce().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return {
    current: () => snapshot,
    refresh() {
      if (reading !== undefined) return;
      shared().catch((error: unknown) => deps.log.warn({ error }, `${what} could not be read`));
    },
    async since(sinceMs) {
      let fresh = await shared();
      while (fresh.readAtMs < sinceMs) fresh = await shared();
      return fresh;
    },
  };
}
