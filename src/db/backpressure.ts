/** A job rests three times as long as it worked, so that requests get three quarters of the machine. */
const REST_FACTOR = 3;
const REST_MAX_MS = 2_000;

/** How a large job finds out whether requests are being served. */
export interface BackpressureDeps {
  readonly postings: { isBusy(): boolean };
}

/**
 * Called between the batches of a job over many customers: rests while requests are posting in this process, so that they wait for at most
 * one small batch, and continues at once otherwise. `workedMs` is the duration of the previous batch.
 */
export async function pauseWhileBusy(deps: BackpressureDeps, workedMs: number): Promise<void> {
  if (!deps.postings.isBusy()) return;
  await new Promise((resolve) => setTimeout(resolve, Math.min(REST_MAX_MS, workedMs * REST_FACTOR)));
}

/** Returns the size of a job's next batch: small while requests are posting in this process. */
export function adaptiveBatchSize(
  deps: BackpressureDeps,
  { quiet, busy }: { readonly quiet: number; readonly busy: number },
): number {
  return deps.postings.isBusy() ? busy : quiet;
}

/**
 * Runs a job's batches until one reports that nothing is left, or `steps` of them have run. Batches are small while requests are posting,
 * with rests in between. Returns whether nothing is left. A `size` that is a number applies to every batch.
 */
export async function runBatches(
  deps: BackpressureDeps,
  {
    size,
    steps,
  }: { readonly size: number | { readonly quiet: number; readonly busy: number }; readonly steps: number },
  batch: (size: number) => Promise<boolean>,
): Promise<boolean> {
  for (let n = 0; n < steps; n++) {
    const startedMs = performance.now();
    if (await batch(typeof size === "number" ? size : adaptiveBatchSize(deps, size))) return true;
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
  return false;
}
