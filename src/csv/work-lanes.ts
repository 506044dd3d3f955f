import type { Deps } from "../deps.ts";
import { type GiveWayDeps, giveWay } from "../ledger/give-way.ts";
import { type CsvImport, LANES } from "./csv-import.ts";
import { type ImportLease, noteProgress } from "./lease-queries.ts";
import { placeRows } from "./place-rows.ts";
import { postRows } from "./post-rows.ts";
import { putBackRows } from "./put-back-rows.ts";
import { putRows } from "./put-rows.ts";
import { takeBackRows } from "./take-back-rows.ts";

type WorkDeps = GiveWayDeps & Pick<Deps, "db" | "clock" | "random" | "wake" | "config">;

const FINISH = {
  importing: `update import
set state = 'imported',
  finished_at = $3,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2
  and state = 'importing'`,
  undoing: `update import
set state = 'undone',
  undone_at = $3,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2
  and state = 'undoing'`,
} as const;

const VERBS = {
  importing: { points: postRows, tiers: placeRows, customers: putRows },
  undoing: { points: takeBackRows, tiers: putBackRows, customers: null }, // startUndo refuses it
} as const;

/**
 * Works through the rows of an import, or of its undoing, in lanes beside each other. Answers false where `signal` aborted between
 * two batches: the rest is left to the next worker.
 */
export async function workLanes(
  deps: WorkDeps,
  file: CsvImport & { readonly state: "importing" | "undoing" },
  lease: ImportLease,
  signal: AbortSignal,
): Promise<boolean> {
  const verb = VERBS[file.state][file.kind];
  if (verb === null) throw new Error("an import of customers cannot be undone");
  const ending = new AbortController();
  const stopping = AbortSignal.any([signal, ending.signal]);
  let hasProgress = false;
  const runLane = async (lane: number): Promise<void> => {
    try {
      for (let isMore = true; isMore && !stopping.aborted; ) {
        const startedMs = performance.now();
        isMore = await deps.db.tx((tx) => verb(tx, deps, file, lane));
        await giveWay(deps, performance.now() - startedMs);
        if (isMore && !hasProgress) {
          hasProgress = true;
          await noteProgress(deps.db, lease);
        }
      }
    } catch (error) {
      ending.abort(); // the other lanes finish what they have in hand
      throw error;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
  const failed = lanes.find((lane) => lane.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  if (signal.aborted) return false;
  await deps.db.execute(FINISH[file.state], [lease.uid, lease.leaseUid, deps.clock.now()]);
  return true;
}
