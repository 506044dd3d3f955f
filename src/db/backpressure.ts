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
