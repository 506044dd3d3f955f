import type { Deps } from "../../deps.ts";
import { closeChangeFeed } from "./change-queries.ts";
import { collectChanges } from "./collect-changes.ts";
import { sendTriggers } from "./send-triggers.ts";
import { syncCustomers } from "./sync-customers.ts";
import { syncShop } from "./sync-shop.ts";

/** Rounds of one call at most, so that a worker can stop in between. */
const ROUNDS_MAX = 50;
const TRIGGERS_MAX = 25;

/**
 * Sends the platform what changed: workflows of each change of points and tier, metafields of customers and shop as they are now
 * (platforms.md 2), outside any transaction, each by one node. Without a token nothing is kept for later.
 */
export async function syncPlatform(deps: Deps): Promise<number> {
  const admin = deps.config.platforms.shopify.admin;
  if (admin === undefined) {
    await deps.db.tx(closeChangeFeed);
    return 0;
  }
  let sent = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const collected = await collectChanges(deps);
    const isShopSynced = await syncShop(deps, admin);
    const customers = await syncCustomers(deps, admin);
    let triggers = 0;
    while (triggers < TRIGGERS_MAX && (await sendTriggers(deps, admin))) triggers += 1;
    sent += customers + triggers;
    if (collected === 0 && !isShopSynced && customers === 0 && triggers === 0) break;
  }
  return sent;
}
