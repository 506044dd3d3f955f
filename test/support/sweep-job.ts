import type { Job } from "../../src/jobs/job.ts";
import { nextDayAt } from "../../src/jobs/next-day-at.ts";
import { expirePoints } from "../../src/ledger/expiry/expire-points.ts";
import { nextExpiryAt } from "../../src/ledger/expiry/next-expiry-at.ts";

/** Short, so that a killed node's work is soon taken over. */
export const SWEEP_LEASE_MS = 120;
const BATCH_CUSTOMERS = 10;

/** The service's sweep in small batches; `onStart` is called for each run. */
export function sweepJob(onStart: () => void = () => {}): Job {
  return {
    name: "expire points",
    timing: { by: "store", nextAt: nextDayAt, workAt: (deps) => nextExpiryAt(deps.db) },
    run(deps, signal) {
      onStart();
      return expirePoints(deps, { signal, batchCustomers: BATCH_CUSTOMERS });
    },
  };
}
