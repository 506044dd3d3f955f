import type { Tx } from "../../db/pool.ts";
import { type LockedBalance, lockLiveBalances } from "../balance-queries.ts";
import type { PostingDeps } from "../queue/posting-batch.ts";
import { writeOffExpired } from "./write-off-expired.ts";

/**
 * Ends the holds that are over and writes off what is due beside the others, so that `readExpired` counts no points that a hold keeps beyond
 * their date. The balances are locked; those without holds stay as they are. Returns the balances after it.
 */
export async function writeOffBesideHolds(
  tx: Tx,
  deps: PostingDeps,
  locked: readonly LockedBalance[],
): Promise<readonly LockedBalance[]> {
  const holding = locked.filter(({ heldPoints }) => heldPoints > 0n);
  if (holding.length === 0) return locked;
  await writeOffExpired(tx, deps, holding);
  return lockLiveBalances(tx, locked);
}
