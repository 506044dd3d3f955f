import { type RefObject, useLayoutEffect, useRef } from "react";

/** Scrolls a row of links sideways so that the current one is visible. `current` identifies it. */
export function useCurrentInView<Row extends HTMLElement>(current: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useLayoutEffect(() => {
    const link = row.current?.querySelector<HTMLElement>(`[aria-current="page"][href]`);
    if (row.current === null || link == null || current === "") return;
    const [outer, inner] = [row.current.getBoundingClientRect(), link.getBoundingClientRect()];
    row.current.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }, [current]);
  return row;
}
