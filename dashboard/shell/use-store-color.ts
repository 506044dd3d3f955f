import { useLayoutEffect } from "react";
import { shadesOf } from "../../src/wire/theme.ts";

/** The shades of the theme's primary colour, which all components use. */
const SHADE = "--mantine-color-indigo-";

/** Sets the page's colour to the store's; null: the dashboard's default. */
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
