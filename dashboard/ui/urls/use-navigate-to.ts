import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { splitPath } from "./address.ts";

export interface NavigateOptions {
  /** The browser's back button does not return to the present page. */
  readonly replace?: boolean;
  /** A panel opens over the same page, which keeps its scroll position. */
  readonly keepScroll?: boolean;
}

/** Goes to a path of the dashboard, with its search: `go("/ledger?type=order")`. */
export function useNavigateTo(): (path: string, options?: NavigateOptions) => void {
  const router = useRouter();
  return useCallback(
    (path, { replace = false, keepScroll = false } = {}) => {
      void router.navigate({ ...splitPath(path), replace, resetScroll: !keepScroll });
    },
    [router],
  );
}
