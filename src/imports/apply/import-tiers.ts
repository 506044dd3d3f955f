import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import type { TierRule } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { type Placement, placeManyInTier } from "../../tiers/place-many-in-tier.ts";
import { NEVER_PLACED, type StoredTier, selectTiers } from "../../tiers/tier-queries.ts";
import {
  assignmentOf,
  higherKept,
  isLowerStanding,
  type KeptTier,
  keptTierOf,
  type TierAssignment,
} from "../../tiers/tier-update.ts";
import { standingAfter, updateOf } from "../check/valid-row.ts";
import type { CsvImport } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import { readMergedSince } from "../read-merged-since.ts";
import { isOfMerged, type ShardBatch, saveTierStandings, selectNextRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

interface PlacedRow {
  readonly row: WorkRow;
  readonly before: StoredTier;
  readonly after: StoredTier;
}

/**
 * Places the customers of a shard's next rows, in the same way as `importPoints` posts points. Stores each standing before and after, for undoing it.
 */
export async function importTiers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  file: CsvImport,
  batch: ShardBatch,
): Promise<boolean> {
  const from = await lockShard(tx, file.uid, "import", batch.shard);
  if (from === undefined) return false;
  const rows = await selectNextRows(tx, { uid: file.uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const live = rows.filter(({ isGone }) => !isGone);
  const holders = live.map(({ holder }) => holder);
  await lockLiveBalances(tx, holders);
  const [program, tiers] = await Promise.all([readProgram(tx), selectTiers(tx, holders)]);
  const joined = await readMergedSince(tx, holders, file.options.move?.uploadedAt ?? file.createdAt);
  const issues: StoredIssue[] = rows
    .filter(({ isGone }) => isGone)
    .map((row) => storedIssue(row, issueOf("customer_gone", "customer", null)));
  const now = deps.clock.now();
  const placements = new Map<string, Placement>();
  const placed: PlacedRow[] = [];
  for (const row of live) {
    const earlier = placements.get(row.holder.customerUid);
    const stored = tiers.get(row.holder.customerUid) ?? NEVER_PLACED;
    const present = earlier?.after ?? assignmentOf(program.tiers.rules, stored);
    const after = standingAfter(program.tiers.rules, present, updateOf(row));
    if ("code" in after) {
      issues.push(storedIssue(row, after));
      continue;
    }
    const isJoined = isOfMerged(row) || joined.has(row.holder.customerUid);
    if (isJoined && isLowerStanding(program.tiers.rules, present, after)) {
      issues.push(storedIssue(row, issueOf("customer_merged", "customer", null)));
      continue;
    }
    placed.push({ row, before: earlier === undefined ? stored : storedOf(present), after: storedOf(after) });
    const placement = { customer: row.holder, before: earlier?.before ?? present, after };
    const keepUntil = keptAfterRow(program.tiers.rules, now, { row, after, stored, earlier, isJoined });
    placements.set(row.holder.customerUid, { ...placement, keepUntil });
  }
  const counts = { rows: rows.length, valid: placed.length, added: 0n, taken: 0n };
  const cause = { cause: "manual", actor: file.startedBy } as const;
  await Promise.all([
    placeManyInTier(tx, deps, [...placements.values()], cause),
    saveTierStandings(tx, file.uid, placed),
    insertIssues(tx, file.uid, "import", issues),
    advanceShard(tx, { uid: file.uid, phase: "import", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

/**
 * Returns the tier that is kept after a row, as `Placement` has it. Of a customer whom a merge gave something since the file, the higher one of that of
 * the row and the present one: a merge lowers none, whether it comes before or after a file.
 */
function keptAfterRow(
  rules: readonly TierRule[],
  now: Temporal.Instant,
  { row, after, stored, earlier, isJoined }: RowStanding,
): Placement["keepUntil"] {
  const ofRow = row.datedAt ?? earlier?.keepUntil;
  if (!isJoined) return ofRow;
  const present = earlier === undefined ? keptTierOf(stored) : keptBy(earlier, stored);
  const own = row.datedAt === null ? null : { tierUid: after.tier.uid, until: row.datedAt };
  return higherKept(rules, [present, own], now);
}

interface RowStanding {
  readonly row: WorkRow;
  readonly after: TierAssignment;
  /** Before the batch. */
  readonly stored: StoredTier;
  /** By the customer's earlier rows of the batch. */
  readonly earlier: Placement | undefined;
  readonly isJoined: boolean;
}

function keptBy({ after, keepUntil }: Placement, stored: StoredTier): KeptTier | null {
  if (keepUntil === undefined) return after.tier.uid === stored.tierUid ? keptTierOf(stored) : null;
  return keepUntil instanceof Temporal.Instant ? { tierUid: after.tier.uid, until: keepUntil } : keepUntil;
}

/** Returns a standing as `placeManyInTier` stores it. */
function storedOf({ tier, minimumTier, skipNextCheck }: TierAssignment): StoredTier {
  return { tierUid: tier.uid, minimumTierUid: minimumTier?.uid ?? null, skipNextCheck };
}
