import { useCallback, useEffect, useRef } from "react";
import { type NavigateOptions, useNavigateTo } from "./use-navigate-to.ts";

/**
 * Like `useNavigateTo`, for what follows an answer of the service: it does nothing and returns false if the component is no longer shown. Somebody who
 * went on meanwhile is not taken away from another page, whose form could have text that was not sent.
 */
export function useNavigateWhileShown(): (path: string, options?: NavigateOptions) => boolean {
  const go = useNavigateTo();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(
    (path, options) => {
      if (isShown.current) go(path, options);
      return isShown.current;
    },
    [go],
  );
}
