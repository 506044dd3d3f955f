/** The name of the header in which the service sends its own time with each answer of the admin API. */
const HEADER = "x-pointkeeper-now";
/** A smaller difference to the time before is the way of the answer, and moves nothing on the page. */
const NOTICED_MS = 5_000;

/** How far the service's clock is ahead of this machine's: a machine's clock may be wrong, and that of a sandbox is set by hand. */
let aheadMs = 0;
const listeners = new Set<() => void>();

/** Returns the service's time in milliseconds since 1970, and this machine's before the first answer. */
export function storeNow(): number {
  return Date.now() + aheadMs;
}

/** Notes the time that came with an answer. */
export function noteStoreTime(headers: Pick<Headers, "get">): void {
  const ahead = Date.parse(headers.get(HEADER) ?? "") - Date.now();
  if (Number.isNaN(ahead) || Math.abs(ahead - aheadMs) < NOTICED_MS) return;
  aheadMs = ahead;
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever the service's clock is found to be another than it seemed. Returns the end of that. */
export function onStoreTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
