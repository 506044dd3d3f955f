import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/**
 * The token of the link that the page was opened by. It stands behind `#`, which browsers send to nobody, and is taken out of the address
 * at once, so that it stays neither on the screen nor in the browser's history.
 */
export function useLinkToken(): string {
  const hash = useRouterState({ select: (state) => state.location.hash });
  const [token, setToken] = useState(hash);
  useEffect(() => {
    if (hash === "") return;
    setToken(hash);
    window.history.replaceState(window.history.state, "", window.location.pathname);
  }, [hash]);
  return token;
}
