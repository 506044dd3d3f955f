import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isUploading } from "../api/client.ts";
import { hasEnteredForm } from "../ui/forms/ask-to-leave.ts";
import { hasEnteredText, watchEnteredText } from "../ui/forms/entered-text.ts";

/**
 * Makes the browser ask before the window is closed or the page is loaded anew, if that would lose text which was typed into a form and not saved, or
 * end the upload of a file.
 */
export function useUnloadGuard(): void {
  const client = useQueryClient();
  useEffect(() => watchEnteredText(client.getMutationCache()), [client]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasEnteredText() || hasEnteredForm() || isUploading()) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    return () => removeEventListener("beforeunload", onUnload);
  }, []);
}
