/** Counts of observed values by size, as Prometheus shows them. A value costs a few comparisons and two additions. */
export interface Histogram {
  /** Upper bounds, included, rising; what lies above the last is counted too. */
  readonly bounds: readonly number[];
  /** One for each bound and one for what lies above; not cumulative. */
  readonly counts: number[];
  sum: number;
}

/** Durations of requests and batches, seconds. */
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
