import { useState } from "react";

const SHOWN_MS = 1_500;

/** Copies a text; `isCopied`: one was copied a moment ago. */
export function useCopy(): { readonly isCopied: boolean; copy(text: string): Promise<void> } {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text).catch(() => copyBySelection(text));
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return { isCopied, copy };
}

/** Copies by selection: without https, browsers offer no other clipboard. */
function copyBySelection(value: string): void {
  const field = document.createElement("textarea");
  field.value = value;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
