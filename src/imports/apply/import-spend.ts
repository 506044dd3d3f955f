import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { addSpendBase } from "../../tiers/add-spend-base.ts";
import type { CsvImport } from "../csv-import.ts";
import { issueOf, storedIssue } from "../issue.ts";
import { type ShardBatch, selectNextRows } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

/** Adds what the customers of the next rows of a shard spent elsewhere, as `importPoints` posts points. Tiers stay until the next check. */
export async function importSpend(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { uid, startedAt }: CsvImport,
  batch: ShardBatch,
): Promise<boolean> {
  const from = await lockShard(tx, uid, "import", batch.shard);
  if (from === undefined) return false;
  const rows = await selectNextRows(tx, { uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const live = rows.filter(({ isGone }) => !isGone);
  await lockLiveBalances(
    tx,
    live.map(({ holder }) => holder),
  );
  const spent = live.map(({ holder: { bucket, customerUid }, spentMinor, datedAt }) => ({
    ...{ bucket, customerUid, importUid: uid, spentMinor: spentMinor ?? 0n },
    asOf: datedAt ?? startedAt ?? clock.now(),
  }));
  const issues = rows.filter(({ isGone }) => isGone).map((row) => storedIssue(row, GONE));
  const counts = { rows: rows.length, valid: live.length, added: 0n, taken: 0n };
  await Promise.all([
    addSpendBase(tx, spent),
    insertIssues(tx, uid, "import", issues),
    advanceShard(tx, { uid, phase: "import", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

const GONE = issueOf("customer_gone", "customer", null);
