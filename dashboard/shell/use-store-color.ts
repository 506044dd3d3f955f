import { useLayoutEffect } from "react";
import { shadesOf } from "../../src/wire/theme.ts";

/** The shades of the theme's primary colour, which all components take theirs from. */
const SHADE = "--mantine-color-indigo-";

/** Shows the page in the store's colour; null: in the dashboard's own. */
export function useStoreColor(color: string | null): void {
  useLayoutEffect(() => {
    if (color === null) return;
    const { style } = document.documentElement;
    const shades = shadesOf(color);
    for (const [index, shade] of shades.entries()) style.setProperty(`${SHADE}${index}`, shade);
    style.setProperty(`${SHADE}filled-hover`, `var(${SHADE}9)`);
    return () => {
      for (const index of shades.keys()) style.removeProperty(`${SHADE}${index}`);
      style.removeProperty(`${SHADE}filled-hover`);
    };
  }, [color]);
}
