import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { forgetOidcOutcome, takeReturnPath } from "../api/oidc.ts";
import { useNavigateTo } from "../ui/urls/use-navigate-to.ts";

/**
 * Returns a person who comes from the identity provider to the page from which they went there. A failed attempt of somebody who is signed in is of
 * no interest, unless it was one of the account's page, which shows it.
 */
export function useReturnPath(isSignedIn: boolean): void {
  const go = useNavigateTo();
  const isAccount = useRouterState({ select: (state) => state.location.pathname === "/account" });
  useEffect(() => {
    if (isSignedIn && !isAccount) forgetOidcOutcome();
  }, [isSignedIn, isAccount]);
  useEffect(() => {
    const path = isSignedIn ? takeReturnPath() : null;
    if (path !== null) go(path, { replace: true });
  }, [isSignedIn, go]);
}
