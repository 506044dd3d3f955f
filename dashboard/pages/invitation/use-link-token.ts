import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/**
 * Returns the token of the link that opened the page. It comes after `#`, which browsers do not send, and is removed from the address at once, so
 * that it stays neither on the screen nor in the browser's history.
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
