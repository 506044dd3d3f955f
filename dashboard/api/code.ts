import { BASE } from "./base-path.ts";
import { isOffline } from "./online.ts";

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

/** After the page itself has what it needs. */
const WARM_AFTER_MS = 1_500;
/** Browsers without `requestIdleCallback` wait so long between two. */
const WARM_EACH_MS = 200;

/**
 * Fetches code one piece after the other while nothing else is to be done, so that the pages that it is of open at once; not for somebody
 * who asked the browser to save data. Returns what ends it.
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
