import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { removeHistory } from "../../history/remove-history.ts";
import { removeSpendBase } from "../../tiers/remove-spend-base.ts";
import type { CsvImport } from "../csv-import.ts";
import type { ShardBatch } from "../row-queries.ts";
import { advanceShard, lockShard } from "../step-queries.ts";

/** The shard that undoes all of it: rows are found by their import, whoever has them by now. */
const ONLY_SHARD = 0;
/** A place that no row has: what is removed is not found again. */
const NOWHERE = { bucket: null, n: null };

/** Removes the next entries of history, or the next spend, that an import brought, wherever merges took them. */
export async function undoActivity(
  tx: Tx,
  _deps: Pick<Deps, "clock">,
  { uid, kind }: CsvImport,
  { shard, size }: ShardBatch,
): Promise<boolean> {
  if (shard !== ONLY_SHARD) return false;
  if ((await lockShard(tx, uid, "undo", shard)) === undefined) return false;
  const remove = kind === "history" ? removeHistory : removeSpendBase;
  const removed = await remove(tx, { importUid: uid, limit: size });
  const counts = { rows: removed, valid: removed, added: 0n, taken: 0n };
  await advanceShard(tx, { uid, phase: "undo", shard }, NOWHERE, counts);
  return removed === size;
}
