import { useEffect } from "react";
import { takeReturnPath } from "../api/oidc.ts";
import { useNavigateTo } from "../ui/use-navigate-to.ts";

/** Returns a person who comes from the identity provider to the page from which they went there. */
export function useReturnPath(isSignedIn: boolean): void {
  const go = useNavigateTo();
  useEffect(() => {
    const path = isSignedIn ? takeReturnPath() : null;
    if (path !== null) go(path, { replace: true });
  }, [isSignedIn, go]);
}
