/** One value for each point of a chart; null: there is none. */
export type ChartValues = readonly (number | null)[];

/** A bar at one point, from a value to another. */
interface BarPart {
  readonly point: number;
  readonly from: number;
  readonly to: number;
}

/** Stacks the bars of each point, positive ones upward and negative ones downward; returns them by series, in order. */
export function stackBars(series: readonly ChartValues[]): BarPart[][] {
  const upward = new Map<number, number>();
  const downward = new Map<number, number>();
  return series.map((values) =>
    values.flatMap((value, point) => {
      if (value === null || value === 0) return [];
      const side = value > 0 ? upward : downward;
      const from = side.get(point) ?? 0;
      side.set(point, from + value);
      return [{ point, from, to: from + value }];
    }),
  );
}

/** Returns round whole numbers in even steps, ascending, that enclose all values and 0; about `steps` steps, at least one. */
export function ticksOf(values: readonly number[], steps: number): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = stepOf((high - low) / steps);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}

/** Returns the smallest of 1, 2 and 5 times the powers of 10 that is not below a number; at least 1. */
function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
}

/** Returns the position of a value, as a part of the height below the top. */
export type Scale = (value: number) => number;

export function scaleOf(ticks: readonly number[]): Scale {
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  return (value) => (high - value) / (high - low);
}

/** Returns the path of a line in a box of height 1 in which each point is 1 wide; it is interrupted where there is no value. */
export function linePath(values: ChartValues, scale: Scale): string {
  const parts = values.map((value, point) => {
    if (value === null) return "";
    const isStart = (values[point - 1] ?? null) === null;
    return `${isStart ? "M" : "L"}${point + 0.5} ${tidy(scale(value))}`;
  });
  return parts.join("");
}

/** Returns the path of the area between 0 and a line without gaps. */
export function areaPath(values: ChartValues, scale: Scale): string {
  return values.length === 0 ? "" : `${linePath(values, scale)}V${tidy(scale(0))}H0.5Z`;
}

const TIDY = 10_000;

function tidy(value: number): number {
  return Math.round(value * TIDY) / TIDY;
}

/** Formats a part of 1 for an attribute or style. */
export function percentOf(part: number): string {
  return `${tidy(100 * part)}%`;
}

/** The maximum number of labels under a chart, by the names of its widths in chart.module.css. */
const LABELS_MAX = { tiny: 3, narrow: 4, middle: 6, wide: 12 } as const;

/** Returns the widths of a chart in which the label of a point is shown. */
export function labelWidths(point: number, points: number): string {
  const isShown = ([, most]: readonly [string, number]) => point % Math.ceil(points / most) === 0;
  return Object.entries(LABELS_MAX)
    .filter(isShown)
    .map(([name]) => name)
    .join(" ");
}
