import { useEffect } from "react";
import { takeReturnPath } from "../api/oidc.ts";
import { useGo } from "../ui/use-go.ts";

/** Returns a person who comes from the identity provider to the page from which they went there. */
export function useReturn(isSignedIn: boolean): void {
  const go = useGo();
  useEffect(() => {
    const path = isSignedIn ? takeReturnPath() : null;
    if (path !== null) go(path, { replace: true });
  }, [isSignedIn, go]);
}
