import { useComputedColorScheme } from "@mantine/core";

/** Nothing of a chart moves. */
export const STILL = { isAnimationActive: false } as const;
/** A chart stands inside an image with a name; the keyboard and screen readers have the table. */
export const OUTSIDE = { accessibilityLayer: false } as const;
export const AXES = { gridAxis: "x", tickLine: "none", strokeDasharray: "0", tooltipAnimationDuration: 0 } as const;
export const Y_WIDTH = 64;
/** Of a second line, beside the colour. */
export const DASHES = "4 3";

/** The accent for what is given, and three that stand apart from it and one another, also for the colour-blind. */
export function useChartColors() {
  const isDark = useComputedColorScheme("light") === "dark";
  return isDark
    ? { issued: "indigo.4", spent: "teal.5", expired: "orange.4", refunded: "gray.5" }
    : { issued: "indigo.7", spent: "teal.7", expired: "orange.6", refunded: "gray.6" };
}
