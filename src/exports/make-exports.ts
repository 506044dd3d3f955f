import { whileLeased } from "../db/lease.ts";
import type { Deps } from "../deps.ts";
import { bucketOf } from "../ledger/customer-ref.ts";
import { publishEvents } from "../webhooks/publish-events.ts";
import { LOCK_SUBSCRIPTIONS_SHARED, readActiveTopics } from "../webhooks/read-active-topics.ts";
import { EXPORT_LEASE_S, type ExportLease, exportLeases, failExport, finishExport } from "./lease-queries.ts";
import { type WrittenFile, writeExport } from "./write-export.ts";

type MakeDeps = Pick<Deps, "db" | "reads" | "clock" | "random" | "log" | "wake">;

const ATTEMPTS_MAX = 3;
const RETRY_S = 5;
/** How long an export waits for a replica that is a little behind. */
const REPLICA_WAIT_MS = 10_000;

/**
 * Makes every waiting export, one after the other, until none is left or `signal` aborts; returns how many were finished. Exactly one node
 * makes each export: it holds a lease, and if it dies another node starts the file again. After three attempts the export has failed. A
 * finished export publishes `point_balances/export` (interface.md 6.4) in the same transaction.
 */
export async function makeExports(deps: MakeDeps, signal: AbortSignal = new AbortController().signal): Promise<number> {
  let finished = 0;
  while (!signal.aborted) {
    const lease = await exportLeases.claim(deps.db, deps.random.uid());
    if (lease === undefined) break;
    if (await makeExport(deps, lease, signal)) finished += 1;
  }
  return finished;
}

function makeExport(deps: MakeDeps, lease: ExportLease, signal: AbortSignal): Promise<boolean> {
  const renewal = {
    leaseMs: EXPORT_LEASE_S * 1_000,
    renew: () => exportLeases.renew(deps.db, lease),
    onError: (error: unknown) => deps.log.warn({ error, export: lease.uid }, "the lease of an export was not renewed"),
    signal,
  };
  // the file contains everything that was acknowledged before it was begun
  const need = { sinceMs: performance.now(), waitMs: REPLICA_WAIT_MS };
  return whileLeased(renewal, async (stop) => {
    try {
      const file = await deps.reads.run(({ db }) => writeExport(deps, db, lease, stop), need);
      if (file !== null) return await finish(deps, lease, file);
      if (signal.aborted) await exportLeases.release(deps.db, lease, { waitS: 0, isCounted: true });
    } catch (error) {
      deps.log.error({ error, export: lease.uid, attempts: lease.attempts }, "an export could not be created");
      await giveUpOrRetry(deps, lease, error);
    }
    return false;
  });
}

async function giveUpOrRetry(deps: MakeDeps, lease: ExportLease, error: unknown): Promise<void> {
  if (lease.attempts < ATTEMPTS_MAX) {
    return exportLeases.release(deps.db, lease, { waitS: RETRY_S * lease.attempts, isCounted: true });
  }
  await failExport(deps.db, lease, {
    at: deps.clock.now(),
    error: error instanceof Error ? error.message : String(error),
  });
}

function finish(deps: MakeDeps, lease: ExportLease, file: WrittenFile): Promise<boolean> {
  return deps.db.tx(async (tx) => {
    await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
    if (!(await finishExport(tx, lease, { at: deps.clock.now(), ...file }))) return false;
    await publishEvents(tx, deps, await readActiveTopics(tx), [
      {
        topic: "point_balances/export",
        bucket: bucketOf(lease.uid),
        customerUid: null,
        version: null,
        payload: lease.uid,
      },
    ]);
    return true;
  });
}
