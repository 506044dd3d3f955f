import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { TierRule } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { forgetStandings } from "../../tiers/forget-standings.ts";
import { type Placement, placeManyInTier } from "../../tiers/place-many-in-tier.ts";
import { readEarnedSince } from "../../tiers/read-earned-since.ts";
import { NEVER_PLACED, type StoredTier, selectTiers } from "../../tiers/tier-queries.ts";
import { assignmentOf, higherKept, isLowerStanding, keptTierOf, presentTier } from "../../tiers/tier-update.ts";
import type { CsvImport } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import { selectMoveImports } from "../queries.ts";
import { readMergedSince } from "../read-merged-since.ts";
import { type ShardBatch, selectLastRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";
import { readPlacedLater } from "./read-placed-later.ts";

/**
 * Undoes a shard's rows of tiers, backwards: a standing that is still the row's becomes the earlier one, with the tier that checks since would have
 * made of it where that is higher. A standing that was changed since, that a merge moved to another customer, or whose earlier tier no longer exists is
 * kept and stored as an issue; so is a tier that the customer would have by now without the file. Returns false when the shard is done.
 */
export async function undoTiers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  file: CsvImport,
  batch: ShardBatch,
): Promise<boolean> {
  const from = await lockShard(tx, file.uid, "undo", batch.shard);
  if (from === undefined) return false;
  const rows = await selectLastRows(tx, { uid: file.uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const placed = rows.filter(({ isGone, after }) => !isGone && after !== null);
  const holders = placed.map(({ holder }) => holder);
  await lockLiveBalances(tx, holders);
  const [program, tiers] = await Promise.all([readProgram(tx), selectTiers(tx, holders)]);
  const joined = await readMergedSince(tx, holders, file.startedAt ?? file.createdAt);
  const later = await readPlacedLater(tx, file, holders);
  const now = deps.clock.now();
  const placements = new Map<string, UndoneStanding>();
  const unplaced = new Map<string, CustomerRef>();
  const issues = rows.filter(({ isGone, after }) => isGone && after !== null).map(goneIssue);
  const known = new Set<string | null>([null, ...program.tiers.rules.map(({ uid }) => uid)]);
  for (const row of placed) {
    const { customerUid } = row.holder;
    const stored = tiers.get(customerUid);
    const isOwn = customerUid === row.customerUid;
    const isChanged = !isSame(stored, row.after) || later.has(customerUid);
    if (!isOwn || isChanged || row.before === null || !isKnown(row.before, known)) {
      issues.push(changedSince(row));
      continue;
    }
    const { rules } = program.tiers;
    const earlier = placements.get(customerUid);
    const before = earlier?.before ?? assignmentOf(rules, row.after ?? row.before);
    const after = assignmentOf(rules, row.before);
    const isJoined = joined.has(customerUid);
    if (isJoined && isLowerStanding(rules, before, after)) {
      issues.push(changedSince(row));
      continue;
    }
    tiers.set(customerUid, row.before);
    const kept = keptTierOf(row.before);
    const keepUntil = isJoined && stored !== undefined ? higherKept(rules, [keptTierOf(stored), kept], now) : kept;
    placements.set(customerUid, { row, customer: row.holder, before, after, keepUntil });
    if (keepUntil === null && isSame(NEVER_PLACED, row.before)) unplaced.set(customerUid, row.holder);
    else unplaced.delete(customerUid);
  }
  issues.push(...(await keepEarned(tx, file, { placements, unplaced, rules: program.tiers.rules, now })));
  const counts = { rows: rows.length, valid: rows.length - issues.length, added: 0n, taken: 0n };
  const cause = { cause: "manual", actor: file.undoneBy } as const;
  await Promise.all([
    placeManyInTier(tx, deps, [...placements.values()], cause).then(() => forgetStandings(tx, [...unplaced.values()])),
    insertIssues(tx, file.uid, "undo", issues),
    advanceShard(tx, { uid: file.uid, phase: "undo", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

/** A customer's standing after the rows undone so far, and the last of these rows. */
interface UndoneStanding extends Placement {
  readonly row: WorkRow;
}

/**
 * Gives customers the tiers that they would have by now without the file, where these are higher than the earlier ones: a check that found the tier of
 * the file deserved has written nothing. Money that another part of the same move brought does not count. Returns issues for tiers that stay.
 */
async function keepEarned(
  tx: Tx,
  { options, startedAt, createdAt }: CsvImport,
  undone: {
    readonly placements: Map<string, UndoneStanding>;
    readonly unplaced: Map<string, CustomerRef>;
    readonly rules: readonly TierRule[];
    readonly now: Temporal.Instant;
  },
): Promise<StoredIssue[]> {
  const { placements, unplaced, rules, now } = undone;
  const lowered = [...placements.values()].filter(({ before, after }) => isLowerStanding(rules, before, after));
  const parts = options.move === null ? [] : await selectMoveImports(tx, options.move.uid);
  const earned = await readEarnedSince(
    tx,
    lowered.map(({ customer, row }) => ({ customer, stored: row.before ?? NEVER_PLACED })),
    { since: startedAt ?? createdAt, now, without: parts.map(({ uid }) => uid) },
  );
  return lowered.flatMap((placement) => {
    const { row, customer, before, after } = placement;
    const tier = presentTier(rules, earned.get(customer.customerUid) ?? null);
    if (rules.indexOf(tier) <= rules.indexOf(after.tier)) return [];
    placements.set(customer.customerUid, { ...placement, after: { ...after, tier } });
    unplaced.delete(customer.customerUid);
    return tier === before.tier ? [changedSince(row)] : [];
  });
}

function isSame(a: StoredTier | undefined, b: StoredTier | null): boolean {
  if (a === undefined || b === null) return false;
  return a.tierUid === b.tierUid && a.minimumTierUid === b.minimumTierUid && a.skipNextCheck === b.skipNextCheck;
}

function isKnown({ tierUid, minimumTierUid }: StoredTier, known: ReadonlySet<string | null>): boolean {
  return known.has(tierUid) && known.has(minimumTierUid);
}

function goneIssue(row: WorkRow): StoredIssue {
  return storedIssue(row, issueOf("customer_gone", "customer", null));
}

function changedSince(row: WorkRow): StoredIssue {
  return storedIssue(row, issueOf("changed_since", "tier", null));
}
