import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";
import { selectJoinedSince } from "../../ledger/merge/merge-queries.ts";
import type { TierRule } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { type Placement, placeManyInTier } from "../../tiers/place-many-in-tier.ts";
import { NEVER_PLACED, type StoredTier, selectTiers } from "../../tiers/tier-queries.ts";
import { assignmentOf, type TierAssignment } from "../../tiers/tier-update.ts";
import { standingAfter, updateOf } from "../check/valid-row.ts";
import type { CsvImport } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import { isOfMerged, type ShardBatch, saveTierStandings, selectNextRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

// Whom a merge gave the tier of a customer who had been deleted, without points, before the file.
const RAISED = `select distinct h.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join tier_change h on h.bucket = k.bucket and h.customer_uid = k.customer_uid
where h.cause = 'merge'
  and h.changed_at >= $3`;

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
  const joined = await selectMergedSince(tx, holders, file.options.move?.uploadedAt ?? file.createdAt);
  const issues: StoredIssue[] = rows
    .filter(({ isGone }) => isGone)
    .map((row) => storedIssue(row, issueOf("customer_gone", "customer", null)));
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
    if (isJoined && isLower(program.tiers.rules, present, after)) {
      issues.push(storedIssue(row, issueOf("customer_merged", "customer", null)));
      continue;
    }
    placed.push({ row, before: earlier === undefined ? stored : storedOf(present), after: storedOf(after) });
    const placement = { customer: row.holder, before: earlier?.before ?? present, after };
    placements.set(row.holder.customerUid, {
      ...placement,
      keepUntil: row.datedAt ?? earlier?.keepUntil,
    });
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

/** Returns the uids of those customers to whom merges since a time brought points or a tier. */
async function selectMergedSince(
  tx: Tx,
  holders: readonly CustomerRef[],
  since: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  const [joined, raised] = await Promise.all([
    selectJoinedSince(tx, holders, since),
    tx.query<{ customerUid: string }>(RAISED, [...refKeys(holders), since]),
  ]);
  return new Set([...joined, ...raised.map(({ customerUid }) => customerUid)]);
}

/** Whether a standing has a lower tier or floor than another: no merge lowers one, whether it comes before or after a file. */
function isLower(rules: readonly TierRule[], before: TierAssignment, after: TierAssignment): boolean {
  const rankOf = (rule: TierRule | null) => (rule === null ? -1 : rules.indexOf(rule));
  return rankOf(after.tier) < rankOf(before.tier) || rankOf(after.minimumTier) < rankOf(before.minimumTier);
}

/** Returns a standing as `placeManyInTier` stores it. */
function storedOf({ tier, minimumTier, skipNextCheck }: TierAssignment): StoredTier {
  return { tierUid: tier.uid, minimumTierUid: minimumTier?.uid ?? null, skipNextCheck };
}
