import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { apiUrl } from "../api/client.ts";
import { hasEnteredForm } from "../ui/ask-to-leave.ts";
import { hasEnteredText, watchEnteredText } from "../ui/entered-text.ts";

/** A browser begins a download within this time of the click. */
const DOWNLOAD_MS = 2_000;

/**
 * Makes the browser ask before the window is closed or the page is loaded anew, if that would lose text which was typed into a form and not saved. A
 * download leaves the page as it is, though the browser does not know that yet when it begins.
 */
export function useUnloadGuard(): void {
  const client = useQueryClient();
  useEffect(() => watchEnteredText(client.getMutationCache()), [client]);
  useEffect(() => {
    let downloadedAt = Number.NEGATIVE_INFINITY;
    const onClick = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest("a") : null;
      if (link?.pathname.startsWith(`${apiUrl("")}/`) === true) downloadedAt = performance.now();
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      const isDownload = performance.now() - downloadedAt < DOWNLOAD_MS;
      if (!isDownload && (hasEnteredText() || hasEnteredForm())) event.preventDefault();
    };
    document.addEventListener("click", onClick);
    addEventListener("beforeunload", onUnload);
    return () => {
      document.removeEventListener("click", onClick);
      removeEventListener("beforeunload", onUnload);
    };
  }, []);
}
