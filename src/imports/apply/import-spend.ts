import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { requestMoveReviews } from "../../orders/review/request-move-reviews.ts";
import { addSpendBase } from "../../tiers/add-spend-base.ts";
import { selectRecordedBefore } from "../activity-queries.ts";
import type { CsvImport } from "../csv-import.ts";
import { beforeIssue, issueOf, storedIssue } from "../issue.ts";
import { selectMovedSpend } from "../moved-points-queries.ts";
import { type ShardBatch, selectNextRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

/**
 * Adds what the customers of a shard's next rows spent elsewhere, in the same way as `importPoints` posts points. Tiers do not change until the next
 * check.
 */
export async function importSpend(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  file: CsvImport,
  batch: ShardBatch,
): Promise<boolean> {
  const { uid, startedAt, options } = file;
  const from = await lockShard(tx, uid, "import", batch.shard);
  if (from === undefined) return false;
  const rows = await selectNextRows(tx, { uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const here = rows.filter(({ isGone }) => !isGone);
  const locked = await lockLiveBalances(
    tx,
    here.map(({ holder }) => holder),
  );
  const { move, addsOnly, again } = options;
  const before = move !== null && addsOnly && !again ? await selectMovedSpend(tx, locked, move) : NOBODY;
  const holders = here.map(({ holder }) => holder);
  const recorded = await selectRecordedBefore(tx, file, here, holders);
  const isBefore = ({ n, holder }: WorkRow) => recorded.has(n) || before.has(holder.customerUid);
  const live = here.filter((row) => !isBefore(row));
  const since = startedAt ?? deps.clock.now();
  const spent = live.map(({ holder: { bucket, customerUid }, spentMinor, datedAt }) => ({
    ...{ bucket, customerUid, importUid: uid, spentMinor: spentMinor ?? 0n },
    asOf: datedAt ?? since,
  }));
  const issues = [
    ...rows.filter(({ isGone }) => isGone).map((row) => storedIssue(row, GONE)),
    ...here.filter(isBefore).map((row) => storedIssue(row, beforeIssue("spend"))),
  ];
  const counts = { rows: rows.length, valid: live.length, added: 0n, taken: 0n };
  await Promise.all([
    addSpendBase(tx, spent),
    requestMoveReviews(tx, deps, spent, since),
    insertIssues(tx, uid, "import", issues),
    advanceShard(tx, { uid, phase: "import", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

const NOBODY: ReadonlySet<string> = new Set();
const GONE = issueOf("customer_gone", "customer", null);
