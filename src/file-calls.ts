/** A part of a backup, 16 MB, at 17 kB a second. */
const ANSWER_MS = 15 * 60_000;
/** What is in progress at the signal may take so much longer. */
const GRACE_MS = 5_000;

/** Calls on folders that may be on a network share, and have not returned. */
const openCalls = new Set<Promise<unknown>>();

/** A call on a folder did not return. It keeps one of the threads for files, and what becomes of it is not known. */
export class SilentPlaceError extends Error {
  override readonly name = "SilentPlaceError";
}

/** Notes a call until it returns. */
export function noteCall(call: Promise<unknown>): void {
  openCalls.add(call);
  const forget = () => void openCalls.delete(call);
  call.then(forget, forget);
}

/** Whether a call has not returned. Its thread keeps the process from ending, even by `process.exit`. */
export function hasOpenCalls(): boolean {
  return openCalls.size > 0;
}

/**
 * Returns what a call on a folder returns. One that has not returned after some time, or soon after the signal, is given up: on a network share that is
 * away it returns after hours or never, and whoever waits for it would neither fail nor end.
 * @throws SilentPlaceError
 */
export async function whileAnswering<T>(
  place: string,
  call: Promise<T>,
  { signal, waitMs = ANSWER_MS }: { readonly signal?: AbortSignal | undefined; readonly waitMs?: number } = {},
): Promise<T> {
  noteCall(call);
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = (ms: number, says: string) => setTimeout(() => reject(new SilentPlaceError(says)), ms);
  const timers = [
    giveUp(waitMs, `${place} has not answered for ${shown(waitMs)}: it may be on a network share that is away`),
  ];
  const onStop = () => void timers.push(giveUp(GRACE_MS, `${place} does not answer, and nobody waits for it any more`));
  signal?.addEventListener("abort", onStop, { once: true });
  if (signal?.aborted === true) onStop();
  try {
    return await Promise.race([call, givenUp]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", onStop);
  }
}

function shown(ms: number): string {
  return ms < 60_000 ? `${ms / 1_000} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
