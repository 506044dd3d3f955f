import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { HistoryEntry } from "../../history/history.ts";
import { recordHistory } from "../../history/record-history.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { activitySource, selectRecordedBefore } from "../activity-queries.ts";
import type { CsvImport } from "../csv-import.ts";
import { beforeIssue, issueOf, storedIssue } from "../issue.ts";
import { type ShardBatch, selectNextRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

/**
 * Writes a shard's next rows as history of another app, in the same way as `importPoints` posts points. An entry beyond a customer's maximum is
 * stored as an issue.
 */
export async function importHistory(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  file: CsvImport,
  batch: ShardBatch,
): Promise<boolean> {
  const from = await lockShard(tx, file.uid, "import", batch.shard);
  if (from === undefined) return false;
  const rows = await selectNextRows(tx, { uid: file.uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const live = rows.filter(({ isGone }) => !isGone);
  await lockLiveBalances(
    tx,
    live.map(({ holder }) => holder),
  );
  const recorded = await selectRecordedBefore(
    tx,
    file,
    live,
    live.map(({ holder }) => holder),
  );
  const leftOut = await recordHistory(
    tx,
    live.filter(({ n }) => !recorded.has(n)).map((row) => entryOf(file, row, clock.now())),
  );
  const full = new Set(leftOut.map(({ n }) => Number(n)));
  const issues = [
    ...rows.filter(({ isGone }) => isGone).map((row) => storedIssue(row, issueOf("customer_gone", "customer", null))),
    ...live.filter(({ n }) => recorded.has(n)).map((row) => storedIssue(row, beforeIssue("history"))),
    ...live.filter(({ n }) => full.has(n)).map((row) => storedIssue(row, issueOf("history_full", null, null))),
  ];
  const counts = { rows: rows.length, valid: rows.length - issues.length, added: 0n, taken: 0n };
  await Promise.all([
    insertIssues(tx, file.uid, "import", issues),
    advanceShard(tx, { uid: file.uid, phase: "import", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

function entryOf(file: CsvImport, row: WorkRow, now: Temporal.Instant): HistoryEntry {
  const { bucket, customerUid } = row.holder;
  return {
    ...{ bucket, customerUid, importUid: file.uid, n: BigInt(row.n), note: row.note },
    occurredAt: row.datedAt ?? now,
    points: row.pointValue ?? 0n,
    kind: row.entry ?? "adjusted",
    source: activitySource(file),
  };
}
