import { relative } from "node:path";

/** A part of a backup, 16 MB, at 17 kB a second. */
const ANSWER_MS = 15 * 60_000;
/** A disk that is only slow, or has to start, answers within this time. */
export const SLOW_DISK_MS = 15_000;
/** What is in progress at the signal may take so much longer. */
const GRACE_MS = 5_000;

/** What is known of a call that has not returned. */
interface OpenCall {
  /** When it began, or was last seen to advance. */
  sinceMs: number;
  /** null: it is not said of it that it is waited for. */
  readonly place: string | null;
  /** Where it was given up: its folder, and what was said of it. */
  silent: { readonly folder: string; readonly says: string } | null;
}

export interface CallLimits {
  readonly signal?: AbortSignal | undefined;
  readonly waitMs?: number;
  /** The folder on whose disk the place is; the place itself where it is not given. */
  readonly folder?: string;
}

/** Calls on folders that may be on a network share, and have not returned. */
const openCalls = new Map<Promise<unknown>, OpenCall>();

/** A call on a folder did not return. It keeps one of the threads for files, and what becomes of it is not known. */
export class SilentPlaceError extends Error {
  override readonly name = "SilentPlaceError";
}

/** Notes a call until it returns, and returns it. */
export function noteCall<T>(call: Promise<T>): Promise<T> {
  note(call, { sinceMs: performance.now(), place: null, silent: null });
  return call;
}

function note(call: Promise<unknown>, open: OpenCall): void {
  openCalls.set(call, open);
  const forget = () => void openCalls.delete(call);
  call.then(forget, forget);
}

/** Whether a call has not returned or advanced for some time. Its thread keeps the process from ending, even by `process.exit`. */
export function hasOpenCalls(forMs = 0): boolean {
  const untilMs = performance.now() - forMs;
  return openCalls.values().some(({ sinceMs }) => sinceMs <= untilMs);
}

/** Returns where calls with a limit have not returned or advanced for some time. */
export function slowPlaces(forMs: number): ReadonlySet<string> {
  const untilMs = performance.now() - forMs;
  return new Set(
    openCalls.values().flatMap(({ sinceMs, place }) => (place !== null && sinceMs <= untilMs ? [place] : [])),
  );
}

/** Returns what was said of a call that was given up and has not returned, in a folder, in one above it or in one below it; null: there is none. */
export function knownSilence(folder: string): string | null {
  for (const { silent } of openCalls.values()) if (silent !== null && isNear(silent.folder, folder)) return silent.says;
  return null;
}

/** @throws SilentPlaceError where a call near a folder was given up and has not returned: another one would take one more thread */
export function assertNoSilence(folder: string): void {
  const known = knownSilence(folder);
  if (known !== null) throw new SilentPlaceError(`${known}; if it was mounted anew, restart the service`);
}

function isNear(a: string, b: string): boolean {
  return isWithin(relative(a, b)) || isWithin(relative(b, a));
}

function isWithin(path: string): boolean {
  return path !== ".." && !path.startsWith("../");
}

/**
 * Returns what a call on a folder returns. One that has not returned after some time, or soon after the signal, is given up: on a network share that is
 * away it returns after hours or never, and whoever waits for it would neither fail nor end. While one that was given up has not returned, no other is begun
 * near it, because each would keep one more of the few threads for files. A call of many pieces says after each that it advances: its time begins again,
 * and it ends there if it was given up meanwhile.
 * @throws SilentPlaceError
 */
export async function whileAnswering<T>(
  place: string,
  begin: (advances: () => void) => Promise<T>,
  { signal, waitMs = ANSWER_MS, folder = place }: CallLimits = {},
): Promise<T> {
  assertNoSilence(folder);
  const open: OpenCall = { sinceMs: performance.now(), place, silent: null };
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = (says: string) => {
    open.silent = { folder, says };
    reject(new SilentPlaceError(says));
  };
  const limit = setTimeout(
    () => giveUp(`${place} has not answered for ${shown(waitMs)}: it may be on a network share that is away`),
    waitMs,
  );
  let grace: NodeJS.Timeout | undefined;
  const onStop = () => {
    grace = setTimeout(() => giveUp(`${place} does not answer, and nobody waits for it any more`), GRACE_MS);
  };
  signal?.addEventListener("abort", onStop, { once: true });
  if (signal?.aborted === true) onStop();
  try {
    const call = begin(() => {
      if (open.silent !== null) throw new SilentPlaceError(open.silent.says);
      open.sinceMs = performance.now();
      limit.refresh();
    });
    note(call, open);
    return await Promise.race([call, givenUp]);
  } finally {
    clearTimeout(limit);
    clearTimeout(grace);
    signal?.removeEventListener("abort", onStop);
  }
}

function shown(ms: number): string {
  return ms < 60_000 ? `${ms / 1_000} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
