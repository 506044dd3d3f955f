import type { BackpressureDeps } from "../db/backpressure.ts";
import { whileLeased } from "../db/lease.ts";
import type { Deps } from "../deps.ts";
import type { ImportKind } from "../wire/import-fields.ts";
import { checkImport } from "./check/check-import.ts";
import { markUnreadable } from "./check/mark-unreadable.ts";
import { ATTEMPTS_MAX, type CsvImport } from "./csv-import.ts";
import { IMPORT_LEASE_S, type ImportLease, importLeases } from "./lease-queries.ts";
import { selectImport } from "./queries.ts";
import { workShards } from "./work-shards.ts";

type WorkDeps = BackpressureDeps & Pick<Deps, "db" | "clock" | "random" | "wake" | "config" | "log" | "secretBox">;

const RETRY_S = 5;
const RETRY_S_MAX = 60;

/**
 * Checks, imports and undoes waiting imports, one after the other, until none is left or `signal` aborts; returns how many parts were finished. One
 * node works on each import, by a lease. If it is killed, the next one continues after the last batch.
 */
export async function workImports(deps: WorkDeps, signal: AbortSignal = new AbortController().signal): Promise<number> {
  let finished = 0;
  while (!signal.aborted) {
    const lease = await importLeases.claim(deps.db, deps.random.uid());
    if (lease === undefined) break;
    if (await workImport(deps, lease, signal)) finished += 1;
  }
  return finished;
}

function workImport(deps: WorkDeps, lease: ImportLease, signal: AbortSignal): Promise<boolean> {
  const renewal = {
    leaseMs: IMPORT_LEASE_S * 1_000,
    renew: () => importLeases.renew(deps.db, lease),
    onError: (error: unknown) => deps.log.warn({ error, import: lease.uid }, "the lease of an import was not renewed"),
    signal,
  };
  return whileLeased(renewal, async (stop) => {
    try {
      const isFinished = await workPart(deps, lease, stop);
      if (!isFinished) await importLeases.release(deps.db, lease, { waitS: 0, isCounted: false });
      return isFinished;
    } catch (error) {
      deps.log.error({ error, import: lease.uid, attempts: lease.attempts }, "an import was interrupted");
      const waitS = Math.min(RETRY_S_MAX, RETRY_S * lease.attempts);
      await importLeases.release(deps.db, lease, { waitS, isCounted: true });
      return false;
    }
  });
}

async function workPart(deps: WorkDeps, lease: ImportLease, signal: AbortSignal): Promise<boolean> {
  const file = await selectImport(deps.db, lease.uid);
  if (file.state === "checking") {
    if (lease.attempts <= ATTEMPTS_MAX) return checkImport(deps, file, lease, signal);
    await markUnreadable(deps, lease, { code: "could_not_be_read", line: 0 });
    return true;
  }
  if (isMoving(file)) return workShards(deps, file, lease, signal);
  return true; // cancelled meanwhile
}

function isMoving(
  file: CsvImport,
): file is CsvImport & { readonly kind: ImportKind; readonly state: "importing" | "undoing" } {
  return file.kind !== "move" && (file.state === "importing" || file.state === "undoing");
}
