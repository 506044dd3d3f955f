import { type RefObject, useEffect, useRef } from "react";
import { isComposing } from "../ui/forms/is-composing.ts";

/** Calls `onLeave` when an open element is left: by Esc, by a press outside, or when the focus moves elsewhere. */
export function useCloseOnLeave(place: RefObject<HTMLElement | null>, isOpen: boolean, onLeave: () => void): void {
  const leave = useRef(onLeave);
  leave.current = onLeave;
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || isComposing(event)) return;
      place.current?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
      leave.current();
    };
    const onElsewhere = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target) !== true) leave.current();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onElsewhere);
    document.addEventListener("focusin", onElsewhere);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onElsewhere);
      document.removeEventListener("focusin", onElsewhere);
    };
  }, [place, isOpen]);
}
