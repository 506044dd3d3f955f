import type { Deps } from "../deps.ts";

/** What was read from the database, and when the reading began, by `performance.now()`. */
export interface Snapshot<T> {
  readonly readAtMs: number;
  readonly value: T;
}

/** Settings that every request asks for, kept in the process and read again now and then. */
export interface Snapshots<T> {
  current(): Snapshot<T>;
  /** Reads in the background, unless a reading runs. */
  refresh(): void;
  /** One whose reading began after a time: an earlier one may miss what was made meanwhile. */
  since(sinceMs: number): Promise<Snapshot<T>>;
}

/** What is known is read again this long after the last reading, without a request waiting for it. */
export const REFRESH_MS = 1_000;
/** Nothing older than this opens a door: within it every node sees that something was revoked (program.md 2). */
export const STALE_MS = 1_900;
/** There is at least this time between two reads, however many wait for one. */
const READ_GAP_MS = 100;

/** Snapshots that begin with `empty`, which is too old for anything. `what` is named in the log where a reading fails. */
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

  /** All that ask while a reading runs share it. */
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
