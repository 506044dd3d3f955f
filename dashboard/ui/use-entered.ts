import { useCallback, useRef } from "react";

type TextField = HTMLInputElement | HTMLTextAreaElement;
type FieldEvent = { readonly target: EventTarget | null };

/** Fields of a form into which text is entered. */
const TEXT = "form textarea, form input:not([type=radio], [type=checkbox])";

function textField(target: EventTarget | null): TextField | null {
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isText && target.matches(TEXT) ? target : null;
}

/**
 * Keeps the text of each field of a form when it first had the focus. `hasEntered` returns whether one of them has another text now. After `accept`
 * of a form that is sent, only what is typed from then on counts: the form may be emptied, or show what was stored.
 */
export function useEntered() {
  const before = useRef(new Map<TextField, string>());
  const onFocus = useCallback(({ target }: FieldEvent) => {
    const field = textField(target);
    if (field !== null && !before.current.has(field)) before.current.set(field, field.value);
  }, []);
  const onInput = useCallback(({ target }: FieldEvent) => {
    const field = textField(target);
    if (field !== null && !before.current.has(field)) before.current.set(field, "");
  }, []);
  const accept = useCallback((form: EventTarget | null) => {
    for (const field of before.current.keys()) {
      if (!field.isConnected || field.form === form) before.current.delete(field);
    }
  }, []);
  const hasEntered = useCallback(
    () => [...before.current].some(([field, value]) => field.isConnected && field.value !== value),
    [],
  );
  return { onFocus, onInput, accept, hasEntered };
}
