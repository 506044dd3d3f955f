import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { removeHistory } from "../../history/remove-history.ts";
import { lockUnmergedBalances } from "../../ledger/balance-queries.ts";
import { requestMoveReviews } from "../../orders/review/request-move-reviews.ts";
import { removeSpendBase } from "../../tiers/remove-spend-base.ts";
import type { CsvImport } from "../csv-import.ts";
import type { ShardBatch } from "../row-queries.ts";
import { advanceShard, lockShard } from "../step-queries.ts";

/** The shard that undoes everything: rows are found by their import, whichever customer has them now. */
const ONLY_SHARD = 0;
/** A position that no row has: removed rows are not found again. */
const NOWHERE = { bucket: null, n: null };

/** Removes the next history entries, or the next spend, of an import, even if merges moved them. */
export async function undoActivity(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { uid, kind, startedAt }: CsvImport,
  { shard, size }: ShardBatch,
): Promise<boolean> {
  if (shard !== ONLY_SHARD) return false;
  if ((await lockShard(tx, uid, "undo", shard)) === undefined) return false;
  const next = { importUid: uid, limit: size };
  const removed = kind === "history" ? await removeHistory(tx, next) : await undoSpend(tx, deps, next, startedAt);
  const counts = { rows: removed, valid: removed, added: 0n, taken: 0n };
  await advanceShard(tx, { uid, phase: "undo", shard }, NOWHERE, counts);
  return removed === size;
}

/** Orders that became known since then count toward tiers again. */
async function undoSpend(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  next: { readonly importUid: string; readonly limit: number },
  startedAt: Temporal.Instant | null,
): Promise<number> {
  const customers = await removeSpendBase(tx, next);
  await lockUnmergedBalances(tx, customers);
  await requestMoveReviews(tx, deps, customers, startedAt);
  return customers.length;
}
