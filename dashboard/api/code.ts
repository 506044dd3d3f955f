import { BASE } from "./base-path.ts";
import { isOffline } from "./online.ts";

const RELOADED_KEY = "pointkeeper-reloaded";

/** The code of a page or dialog could not be loaded: no connection, or a new release with other files. */
export class CodeError extends Error {
  override readonly name = "CodeError";
}

/** Returns `load` with every failure as a CodeError, from which `PageError` recovers; the router's own recovery would reload even offline. */
export function loadCode<T>(load: () => Promise<T>): () => Promise<T> {
  return () =>
    load().catch((error: unknown) => {
      throw new CodeError("The code of this part could not be loaded.", { cause: error });
    });
}

/** Loads code before it is needed. A failure does not matter, since it is loaded again then. */
export function prefetchCode(...loads: readonly (() => Promise<unknown>)[]): void {
  for (const load of loads) load().catch(() => undefined);
}

/** The delay after which the page itself has what it needs. */
const WARM_AFTER_MS = 1_500;
/** The pause between two loads in browsers without `requestIdleCallback`. */
const WARM_EACH_MS = 200;

/**
 * Loads code piece by piece while the browser is idle, so that the pages open at once; not if the browser is set to save data. Returns a function
 * that stops it.
 */
export function warmCode(loads: readonly (() => Promise<unknown>)[]): () => void {
  const connection: { readonly saveData?: boolean } = Object(Object(globalThis.navigator)["connection"]);
  let isOver = connection.saveData === true;
  const goOn = async () => {
    for (const load of loads) {
      await whenIdle();
      if (isOver || isOffline()) return;
      await load().catch(() => undefined);
    }
  };
  const timer = setTimeout(() => void goOn(), WARM_AFTER_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function whenIdle(): Promise<void> {
  return new Promise((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => done());
    else setTimeout(done, WARM_EACH_MS);
  });
}

/** Whether the service responds now. */
export async function isServiceThere(): Promise<boolean> {
  const answer = await fetch(`${BASE}/`, { method: "HEAD", cache: "no-store" }).catch(() => null);
  return answer?.ok === true;
}

/** Reloads the page for the files of a new release, once for each release; returns false if it was already reloaded for this release. */
export function reloadOnce(): boolean {
  const release = import.meta.url;
  if (sessionStorage.getItem(RELOADED_KEY) === release) return false;
  sessionStorage.setItem(RELOADED_KEY, release);
  location.reload();
  return true;
}
