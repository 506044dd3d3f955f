import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { FEW_CUSTOMERS, selectCount } from "../../metrics/metric-queries.ts";
import { readProgram } from "../../program/read-program.ts";
import { countCustomers } from "../../tiers/preview-queries.ts";
import { presentTier } from "../../tiers/tier-update.ts";
import { SCAN_BRIEFLY } from "../customers/queries.ts";
import { selectTierMembers } from "./queries.ts";

/**
 * Returns how many customers each tier of the program has, by its uid; a customer who was never placed has the default tier (program.md 6). Of many
 * customers these are the numbers of the last count, which the worker makes every ten minutes; few, or those who were never counted, are counted now.
 * Throws the database's 57014 (503) after 3 seconds.
 */
export function readTierMembers(deps: Pick<Deps, "db">): Promise<ReadonlyMap<string, number>> {
  return deps.db.snapshot(async (tx) => {
    const [, { tiers }, { customers, placed }] = await Promise.all([
      tx.execute(SCAN_BRIEFLY),
      readProgram(tx),
      countTiers(tx),
    ]);
    const tierMembers = new Map(tiers.rules.map(({ uid }) => [uid, 0]));
    const add = (tierUid: string | null, count: number) => {
      const { uid } = presentTier(tiers.rules, tierUid);
      tierMembers.set(uid, (tierMembers.get(uid) ?? 0) + count);
    };
    for (const { tierUid, count } of placed) add(tierUid, count);
    add(null, Math.max(0, customers - placed.reduce((sum, { count }) => sum + count, 0)));
    return tierMembers;
  });
}

interface TierCounts {
  readonly customers: number;
  readonly placed: readonly { readonly tierUid: string; readonly count: number }[];
}

async function countTiers(tx: Tx): Promise<TierCounts> {
  const last = await selectCount(tx);
  if (last !== null && last.customers >= FEW_CUSTOMERS) {
    const { "": _, ...tiers } = last.tiers;
    return {
      customers: Number(last.customers),
      placed: Object.entries(tiers).map(([tierUid, count]) => ({ tierUid, count })),
    };
  }
  const [placed, customers] = await Promise.all([selectTierMembers(tx), countCustomers(tx)]);
  return { customers, placed: placed.map(({ tierUid, customers: count }) => ({ tierUid, count: Number(count) })) };
}
