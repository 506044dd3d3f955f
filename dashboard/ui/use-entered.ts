import { useCallback, useRef } from "react";

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Fields of a form into which text is entered. */
const TEXT = "form textarea, form input:not([type=radio], [type=checkbox])";

/**
 * Keeps the text of each field of a form when it first had the focus. `hasEntered` returns whether one of them has another text now, `accept` keeps
 * the texts of a form that was sent instead.
 */
export function useEntered() {
  const before = useRef(new Map<TextField, string>());
  const remember = useCallback(({ target }: { readonly target: EventTarget | null }) => {
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isText && target.matches(TEXT) && !before.current.has(target)) before.current.set(target, target.value);
  }, []);
  const accept = useCallback((form: EventTarget | null) => {
    for (const field of before.current.keys()) {
      if (!field.isConnected) before.current.delete(field);
      else if (field.form === form) before.current.set(field, field.value);
    }
  }, []);
  const hasEntered = useCallback(
    () => [...before.current].some(([field, value]) => field.isConnected && field.value !== value),
    [],
  );
  return { remember, accept, hasEntered };
}
