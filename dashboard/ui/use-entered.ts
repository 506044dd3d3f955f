import { type FocusEvent, useRef } from "react";

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Fields of a form into which text is entered. */
const TEXT = "form textarea, form input:not([type=radio], [type=checkbox])";

/**
 * Keeps the text of each field of a form when it first had the focus. `hasEntered` returns whether one of them has another text now.
 */
export function useEntered() {
  const before = useRef(new Map<TextField, string>());
  const remember = ({ target }: FocusEvent) => {
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isText && target.matches(TEXT) && !before.current.has(target)) before.current.set(target, target.value);
  };
  const hasEntered = () => [...before.current].some(([field, value]) => field.isConnected && field.value !== value);
  return { remember, hasEntered };
}
