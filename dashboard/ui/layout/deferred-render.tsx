import { type ReactNode, useDeferredValue } from "react";

/**
 * Renders its children a moment later, in small steps: rendering them at once would block the browser until they are complete. Until then `place` is
 * shown.
 */
export function DeferredRender({ place = null, children }: { place?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : place;
}
