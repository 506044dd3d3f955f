import { useSyncExternalStore } from "react";
import { isConfirming, watchConfirming } from "./confirmation.ts";

/** Whether the person is asked for the password or a code, in a dialog over all others. */
export function useIsConfirming(): boolean {
  return useSyncExternalStore(watchConfirming, isConfirming);
}
