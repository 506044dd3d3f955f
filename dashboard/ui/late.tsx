import { type ReactNode, useDeferredValue } from "react";

/** Shows its children a moment later, made piece by piece: what is made at once keeps the browser from everything else until it is whole. `place` stands there before. */
export function Late({ place = null, children }: { place?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : place;
}
