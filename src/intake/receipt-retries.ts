/** Waits before each further try of a receipt whose processing failed. */
const WAITS_MS = [1_000, 5_000, 30_000, 120_000] as const;

/** The wait after so many failures, by the machine's clock; null: it has failed for good. */
export function retryWaitMs(failures: number): number | null {
  return WAITS_MS[failures - 1] ?? null;
}
