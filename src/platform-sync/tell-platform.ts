import type { Deps } from "../deps.ts";
import { feedChanges } from "./feed-changes.ts";
import { closeFeed } from "./feed-queries.ts";
import { tellCustomers } from "./tell-customers.ts";
import { tellShop } from "./tell-shop.ts";
import { tellTriggers } from "./tell-triggers.ts";

/** Told by one call at most, so that a worker can stop in between. */
const ROUNDS_MAX = 50;
const TRIGGERS_MAX = 25;

/**
 * Tells the platform what changed: workflows of each change of points and tier, metafields of customers and shop as they are now
 * (platforms.md 2), outside any transaction, each by one node. Without a token nothing is kept for later.
 */
export async function tellPlatform(deps: Deps): Promise<number> {
  const admin = deps.config.shopifyAdmin;
  if (admin === undefined) {
    await deps.db.tx(closeFeed);
    return 0;
  }
  let told = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const fed = await feedChanges(deps);
    const isShopTold = await tellShop(deps, admin);
    const customers = await tellCustomers(deps, admin);
    let triggers = 0;
    while (triggers < TRIGGERS_MAX && (await tellTriggers(deps, admin))) triggers += 1;
    told += customers + triggers;
    if (fed === 0 && !isShopTold && customers === 0 && triggers === 0) break;
  }
  return told;
}
