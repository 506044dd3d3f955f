import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { readProgram } from "../../program/read-program.ts";
import { countCustomers } from "../../tiers/preview-queries.ts";
import { presentTier } from "../../tiers/tier-update.ts";
import { SCAN_BRIEFLY } from "../customers/queries.ts";
import { selectTierMembers } from "./queries.ts";

/**
 * How many customers each tier of the program has, by its uid; whoever was never placed has the default one (program.md 6). Gives up
 * with the database's 57014 (503) after 3 seconds.
 */
export function readTierMembers(deps: Pick<Deps, "db">): Promise<ReadonlyMap<string, number>> {
  return deps.db.snapshot(countTierMembers);
}

async function countTierMembers(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const [, { tiers }, placed, customers] = await Promise.all([
    tx.execute(SCAN_BRIEFLY),
    readProgram(tx),
    selectTierMembers(tx),
    countCustomers(tx),
  ]);
  const tierMembers = new Map(tiers.rules.map(({ uid }) => [uid, 0]));
  let rest = customers;
  for (const row of placed) {
    const { uid } = presentTier(tiers.rules, row.tierUid);
    tierMembers.set(uid, (tierMembers.get(uid) ?? 0) + Number(row.customers));
    rest -= Number(row.customers);
  }
  const { uid } = presentTier(tiers.rules, null);
  tierMembers.set(uid, (tierMembers.get(uid) ?? 0) + Math.max(0, rest));
  return tierMembers;
}
