import { useEffect, useState } from "react";
import { BASE } from "./base-path.ts";
import { apiAsk } from "./client.ts";

const RETURN_KEY = "pointkeeper-return";

/** Goes to the identity provider to sign in; afterwards the present page is shown again. */
export async function goToProvider(path: "/session/oidc" | "/account/oidc"): Promise<void> {
  const { data } = await apiAsk<{ data: { url: string } }>(path);
  if (path === "/session/oidc") sessionStorage.setItem(RETURN_KEY, location.pathname + location.search);
  location.assign(data.url);
}

/** Opens the identity provider in another tab to confirm the session, so that the page's input is kept. */
export async function confirmAtProvider(): Promise<void> {
  const tab = open("about:blank", "_blank"); // at once: a later call would be blocked as a pop-up
  try {
    const { data } = await apiAsk<{ data: { url: string } }>("/session/confirm/oidc");
    if (tab === null) location.assign(data.url);
    else tab.location.href = data.url;
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** Returns the page, below /admin, from which the person went to the provider, and removes it; null: none. */
export function takeReturnPath(): string | null {
  const path = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  return path?.startsWith(`${BASE}/`) === true ? path.slice(BASE.length) : null;
}

let outcome = new URL(location.href).searchParams.get("oidc");

/** Returns how the attempt at the provider ended, from the address of this page load, once; null: there was none. Removes it from the address. */
export function useOidcOutcome(): string | null {
  const [taken] = useState(outcome);
  useEffect(forgetOidcOutcome, []);
  return taken;
}

/**
 * After a component has shown it: the page of the account, or a later sign-in in the same load, would say it again. Also when the person is signed in
 * by now, such as in another tab: it no longer matters.
 */
export function forgetOidcOutcome(): void {
  outcome = null;
  const url = new URL(location.href);
  if (!url.searchParams.has("oidc")) return;
  url.searchParams.delete("oidc");
  history.replaceState(history.state, "", url);
}
