import { useSyncExternalStore } from "react";

/** Whether the browser reports that it has no connection. A reported connection may still fail. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** `isOffline()`, rendered again when it changes. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(whenItChanges, isOffline);
}

function whenItChanges(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}
