import { BASE } from "./base-path.ts";

const RELOADED_KEY = "pointkeeper-reloaded";

/** A page's or dialog's code that could not be fetched: no connection, or a new release that has other files. */
export class CodeError extends Error {
  override readonly name = "CodeError";
}

/** Returns `load` with every failure as a CodeError, which `PageError` recovers from; the router's own recovery reloads offline, too. */
export function loadCode<T>(load: () => Promise<T>): () => Promise<T> {
  return () =>
    load().catch((error: unknown) => {
      throw new CodeError("The code of this part could not be loaded.", { cause: error });
    });
}

/** Fetches code before it is needed; a failure is no matter, since it is fetched again then. */
export function prefetchCode(...loads: readonly (() => Promise<unknown>)[]): void {
  for (const load of loads) load().catch(() => undefined);
}

/** Whether the service answers now. */
export async function isServiceThere(): Promise<boolean> {
  const answer = await fetch(`${BASE}/`, { method: "HEAD", cache: "no-store" }).catch(() => null);
  return answer?.ok === true;
}

/** Reloads the page for the files of a new release, once for each release; returns false where this release was reloaded before. */
export function reloadOnce(): boolean {
  const release = import.meta.url;
  if (sessionStorage.getItem(RELOADED_KEY) === release) return false;
  sessionStorage.setItem(RELOADED_KEY, release);
  location.reload();
  return true;
}
