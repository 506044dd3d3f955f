/** A job that worked for a while rests three times as long: requests get three quarters of the machine. */
const REST_FACTOR = 3;
const REST_MAX_MS = 2_000;

/** What a big job needs to know whether requests are being served. */
export interface BackpressureDeps {
  readonly postings: { isBusy(): boolean };
}

/**
 * Called by a job over many customers between its batches: rests when requests are posting in this process, so that they wait for
 * no more than a small batch, and continues at once when there are none. `workedMs` is how long the batch before took.
 */
export async function pauseWhileBusy(deps: BackpressureDeps, workedMs: number): Promise<void> {
  if (!deps.postings.isBusy()) return;
  await new Promise((resolve) => setTimeout(resolve, Math.min(REST_MAX_MS, workedMs * REST_FACTOR)));
}

/** How large a job's next batch is: small when requests are posting in this process. */
export function adaptiveBatchSize(
  deps: BackpressureDeps,
  { quiet, busy }: { readonly quiet: number; readonly busy: number },
): number {
  return deps.postings.isBusy() ? busy : quiet;
}

/**
 * Runs a job's batches until one says that nothing is left, or `steps` of them have run: small while requests are posting, with a rest in
 * between. Returns whether nothing is left. A `size` that is a number holds for every batch.
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
