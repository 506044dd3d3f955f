import type { Deps } from "../../deps.ts";
import { type Subscription, selectSubscriptions } from "../queries.ts";

const SELECT_SHOP = `
select uid
from shop`;

/** Returns every subscription, oldest first, and the shop's uid (interface.md 4.12). */
export async function listSubscriptions(deps: Deps): Promise<{ shopUid: string; subscriptions: Subscription[] }> {
  const subscriptions = await selectSubscriptions(deps.db);
  const [shop] = await deps.db.query<{ uid: string }>(SELECT_SHOP);
  return { shopUid: shop?.uid ?? "", subscriptions };
}
