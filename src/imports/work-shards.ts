import { adaptiveBatchSize, type BackpressureDeps, pauseWhileBusy } from "../db/backpressure.ts";
import { isUniqueViolation, sqlState } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import type { Deps } from "../deps.ts";
import type { ImportKind } from "../wire/import-fields.ts";
import { importCustomers } from "./apply/import-customers.ts";
import { importHistory } from "./apply/import-history.ts";
import { importPoints } from "./apply/import-points.ts";
import { importSpend } from "./apply/import-spend.ts";
import { importTiers } from "./apply/import-tiers.ts";
import { type CsvImport, SHARDS } from "./csv-import.ts";
import { type ImportLease, importLeases } from "./lease-queries.ts";
import { undoActivity } from "./undo/undo-activity.ts";
import { undoCustomers } from "./undo/undo-customers.ts";
import { undoPoints } from "./undo/undo-points.ts";
import { undoTiers } from "./undo/undo-tiers.ts";

type WorkDeps = BackpressureDeps & Pick<Deps, "db" | "clock" | "random" | "wake" | "config" | "secretBox">;

/** The number of rows processed together: fewer while requests are posting. */
const BATCH_ROWS = {
  points: { quiet: 500, busy: 25 },
  tiers: { quiet: 250, busy: 25 },
  customers: { quiet: 1_000, busy: 50 },
  spend: { quiet: 1_000, busy: 50 },
  history: { quiet: 1_000, busy: 50 },
} as const;

/**
 * The number of a move's customers per batch: each locks its e-mail address, and the server's lock table, 6,400 by default, is shared by all
 * transactions.
 */
const MOVED_CUSTOMERS = { quiet: 200, busy: 50 } as const;

const IN_FAILED_TRANSACTION = "25P02";

/** Ends a part, under its lease; takes the import, the lease and the time. */
export const FINISH_PART = {
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

/** Ends a part that was not done completely: one that could not be undone is imported still. Takes the same. */
export const END_PART_EARLY = `update import
set state = 'imported',
  finished_at = coalesce(finished_at, $3),
  undone_by = null,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2
  and state in ('importing', 'undoing')`;

const VERBS = {
  importing: {
    ...{ points: importPoints, tiers: importTiers, customers: importCustomers },
    ...{ spend: importSpend, history: importHistory },
  },
  undoing: {
    ...{ points: undoPoints, tiers: undoTiers, customers: undoCustomers },
    ...{ spend: undoActivity, history: undoActivity },
  },
} as const;

type MovingImport = CsvImport & { readonly kind: ImportKind; readonly state: "importing" | "undoing" };

/**
 * Processes the rows of an import, or of its undoing, in shards: in parallel, or one after the other while requests are posting. Returns false if
 * `signal` aborted between two batches: the rest is left to the next worker.
 */
export async function workShards(
  deps: WorkDeps,
  file: MovingImport,
  lease: ImportLease,
  signal: AbortSignal,
): Promise<boolean> {
  const ending = new AbortController();
  const stopping = AbortSignal.any([signal, ending.signal]);
  let hasProgress = false;
  const inTurn = turns();
  const runShard = async (shard: number): Promise<void> => {
    try {
      for (let isMore = true; isMore && !stopping.aborted; ) {
        const work = () => workBatch(deps, file, shard);
        isMore = await (deps.postings.isBusy() ? inTurn(work) : work());
        if (isMore && !hasProgress) {
          hasProgress = true;
          await importLeases.noteProgress(deps.db, lease);
        }
      }
    } catch (error) {
      ending.abort(); // the other shards finish their current batch
      throw error;
    }
  };
  const shards = await Promise.allSettled(Array.from({ length: SHARDS }, (_, shard) => runShard(shard)));
  const failed = shards.find((shard) => shard.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  if (signal.aborted) return false;
  await deps.db.execute(FINISH_PART[file.state], [lease.uid, lease.leaseUid, deps.clock.now()]);
  return true;
}

async function workBatch(deps: WorkDeps, file: MovingImport, shard: number): Promise<boolean> {
  const verb = VERBS[file.state][file.kind];
  const startedMs = performance.now();
  const isMoved = file.kind === "customers" && file.options.addsOnly;
  const size = adaptiveBatchSize(deps, isMoved ? MOVED_CUSTOMERS : BATCH_ROWS[file.kind]);
  let isTrusting = true;
  const isMore = await deps.db.txByKeys((tx) => {
    const batch = { shard, size, isTrusting };
    isTrusting = false;
    return batch.isTrusting ? verb(tx, deps, file, batch).catch(lookAgain) : verb(tx, deps, file, batch);
  });
  await pauseWhileBusy(deps, performance.now() - startedMs);
  return isMore;
}

/**
 * A row whose key exists has already counted: the transaction starts over, and makes no more assumptions. The error of a statement that was sent
 * after the refused one may arrive first.
 */
function lookAgain(error: unknown): never {
  const isRefused = isUniqueViolation(error) || sqlState(error) === IN_FAILED_TRANSACTION;
  throw isRefused ? staleRead("a row of an import may have counted before", error) : error;
}

/** Runs work one after the other, for any caller. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
