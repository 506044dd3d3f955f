import { patchOfFacts } from "../customers/customer.ts";
import { resubscribeCustomer } from "../customers/resubscribe-customer.ts";
import { upsertCustomer } from "../customers/upsert-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { adoptOrders } from "../orders/adopt-orders.ts";
import type { CustomerUpserted } from "../platforms/neutral-events.ts";
import { rewardCustomer } from "../rewards/reward-customer.ts";

/**
 * Creates or changes the customer of an event, and gives the customer the guests' orders that wait under its e-mail (program.md 4),
 * whenever the event states one: the customer may have got it another way before, by CSV say. `lockOrders` comes first. Rewards
 * what the event states: a signup, an opt-in.
 */
export async function applyCustomer(tx: Tx, deps: PostingDeps, event: CustomerUpserted): Promise<void> {
  const { payload, entityVersion, occurredAt } = event;
  const { customer, before } = await upsertCustomer(tx, deps, patchOfFacts(payload, entityVersion, occurredAt));
  const statesEmail = (event.payload.email ?? null) !== null;
  if (statesEmail && customer.deletedAt === null) await adoptOrders(tx, deps, customer);
  if (payload.consentUpdatedAt === undefined) await resubscribeCustomer(tx, { before, customer });
  await rewardCustomer(tx, deps, { event, before, customer });
}
