/** Counts of observed values by size, as Prometheus shows them. Observing a value costs a few comparisons and two additions. */
export interface Histogram {
  /** Upper bounds, inclusive and ascending; values above the last are counted too. */
  readonly bounds: readonly number[];
  /** One count for each bound and one for values above the last; not cumulative. */
  readonly counts: number[];
  sum: number;
}

/** For durations of requests and batches, in seconds. */
export const DURATION_BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export function createHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram;
  let i = 0;
  for (const bound of bounds) {
    if (value <= bound) break;
    i += 1;
  }
  counts[i] = (counts[i] ?? 0) + 1;
  histogram.sum += value;
}
